import { parseUri, TroveError, type PluginOf } from '@trove/core';

/**
 * Refuses local files of another machine that were not uploaded. A connector must not take the machine's name for a part of
 * the path.
 */
export function assertLocal({
  plugin,
  rootUri,
  scheme,
}: {
  readonly plugin: Pick<PluginOf<'connector'>, 'defaultAuthority'>;
  readonly rootUri: string;
  readonly scheme: string;
}): void {
  const { authority, path } = parseUri(rootUri);
  if (plugin.defaultAuthority !== 'local' || authority === 'local' || authority === '') return;
  throw new TroveError(
    'connector_unhealthy',
    `The files of "${authority}" are not on this machine.`,
    {
      suggestions: [
        `Write ${scheme}://${path} for a path on this machine.`,
        'To upload them, run `trove add --upload` on that machine.',
      ],
    },
  );
}
