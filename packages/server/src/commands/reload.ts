import { TroveError } from '@trove/core';
import { defineCommand } from 'citty';
import { checkPlugins, type ConfiguredPlugin } from 'trove';
import { parseBind } from '../config/bind.js';
import { reportConfig } from '../config/report.js';
import { configArg, configOf, packageRoots, refuseUnknown } from './shared.js';

export const reload = defineCommand({
  meta: {
    name: 'trove-server reload',
    description:
      'Check server.toml and print what it comes to; a running server takes changes up when it is restarted',
  },
  args: configArg,
  async run({ args: given }) {
    refuseUnknown(given, configArg);
    const config = await configOf(given.config);
    parseBind(config.settings.server.bind);
    const plugins = await checkPlugins(config.settings, packageRoots(config));
    process.stdout.write(reportConfig(config, plugins));
    refuseUnusable(plugins);
  },
});

/** The server would not start with them, or would fail when a source needs them. */
function refuseUnusable(plugins: readonly ConfiguredPlugin[]): void {
  const unusable = plugins.flatMap(({ kind, key, error }) =>
    error === null ? [] : [{ error, text: `${kind} ${key}: ${error.detail}` }],
  );
  if (unusable.length === 0) return;
  throw new TroveError('config_invalid', unusable.map(({ text }) => text).join('; '), {
    suggestions: [...new Set(unusable.flatMap(({ error }) => error.suggestions))],
  });
}
