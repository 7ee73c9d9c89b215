import { commandBody } from '@trove/commands';
import { installedPlugins, type ListedPlugin } from 'trove';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots } from './shared.js';
import { formatTable } from './table.js';

const origins = {
  'built-in': 'built in',
  named: '[plugins]',
  installed: 'installed',
} as const;

export const plugins = commandBody({
  args: configArg,
  examples: [
    {
      command: 'trove-server plugins',
      does: 'print the plugin of each scheme, provider and media type',
    },
  ],
  async run(args, { out }: ServerContext) {
    const config = await configOf(args.text('config'));
    const found = await installedPlugins(config.settings, packageRoots(config));
    await out.write(reportPlugins(found));
  },
});

/** Formats a row per key. Problems follow below the table. */
function reportPlugins(found: readonly ListedPlugin[]): string {
  const rows = found.map((plugin) => [
    plugin.kind.replaceAll('-', ' '),
    plugin.key,
    plugin.package,
    origins[plugin.origin],
    plugin.error === null ? (plugin.file ?? '') : `unusable: ${plugin.error.code}`,
  ]);
  const problems = found.flatMap(({ kind, key, error }) =>
    error === null
      ? []
      : [`${kind} ${key}: ${error.detail}`, ...error.suggestions.map((text) => `  ${text}`)],
  );
  const table = formatTable(['KIND', 'KEY', 'PACKAGE', 'FOUND AS', 'FILE'], rows);
  return [...table, ...(problems.length === 0 ? [] : ['', ...problems]), ''].join('\n');
}
