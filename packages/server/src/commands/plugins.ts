import { defineCommand } from 'citty';
import { installedPlugins, type ListedPlugin } from 'trove';
import { configArg, configOf, packageRoots, refuseUnknown } from './shared.js';
import { tableOf } from './table.js';

const origins = {
  'built-in': 'built in',
  named: '[plugins]',
  installed: 'installed',
} as const;

export const plugins = defineCommand({
  meta: {
    name: 'trove-server plugins',
    description:
      'List every plugin that would be used: for what, from where and, if it would fail, why',
  },
  args: configArg,
  async run({ args: given }) {
    refuseUnknown(given, configArg);
    const config = await configOf(given.config);
    const found = await installedPlugins(config.settings, packageRoots(config));
    process.stdout.write(reportPlugins(found));
  },
});

/** A row for each key; below the table, what keeps some from being used. */
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
  const table = tableOf(['KIND', 'KEY', 'PACKAGE', 'FOUND AS', 'FILE'], rows);
  return [...table, ...(problems.length === 0 ? [] : ['', ...problems]), ''].join('\n');
}
