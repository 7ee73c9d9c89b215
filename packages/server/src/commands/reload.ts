import { TroveError } from '@trove/core';
import { commandBody } from '@trove/commands';
import { checkPlugins, type ConfiguredPlugin } from 'trove';
import { resolveToken } from '../auth/auth.js';
import { parseBind } from '../config/bind.js';
import { reportConfig } from '../config/report.js';
import { checkAddress } from '../address.js';
import type { ServerContext } from './context.js';
import { bindArg, bindOption, configArg, configOf, packageRoots } from './shared.js';

export const reload = commandBody({
  args: {
    bind: { ...bindArg.bind, description: 'Also check that a server can listen on this address' },
    ...configArg,
  },
  notes: ['Prints each setting with its origin. Secrets are shown as `***`.'],
  examples: [
    { command: 'trove-server reload', does: 'print the settings that the next start uses' },
    {
      command: 'trove-server reload --bind 127.0.0.1:0',
      does: 'also check that a server can listen on an address',
    },
  ],
  async run(args, { out }: ServerContext) {
    const bindText = args.text('bind');
    const config = await configOf(args.text('config'), bindOption(bindText));
    const bind = parseBind(config.settings.server.bind, config.origins.get('server.bind'));
    // The configured address is not checked, because a running server already listens on it.
    if (bindText !== undefined) await checkAddress(bind);
    await resolveToken(config.settings.auth_token);
    const plugins = await checkPlugins(config.settings, packageRoots(config));
    await out.write(reportConfig(config, plugins));
    assertUsable(plugins);
  },
});

/** Throws `config_invalid` for plugins that would fail at the start or when a source needs them. */
function assertUsable(plugins: readonly ConfiguredPlugin[]): void {
  const unusable = plugins.flatMap(({ kind, key, error }) =>
    error === null ? [] : [{ error, text: `${kind} ${key}: ${error.detail}` }],
  );
  if (unusable.length === 0) return;
  throw new TroveError('config_invalid', unusable.map(({ text }) => text).join('; '), {
    suggestions: [...new Set(unusable.flatMap(({ error }) => error.suggestions))],
  });
}
