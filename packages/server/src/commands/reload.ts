import { TroveError } from '@trove/core';
import { defineCommand } from 'citty';
import { checkPlugins, type ConfiguredPlugin } from 'trove';
import { givenToken } from '../auth/auth.js';
import { parseBind } from '../config/bind.js';
import { reportConfig } from '../config/report.js';
import { checkAddress } from '../address.js';
import { bindArg, bindOption, configArg, configOf, packageRoots, refuseUnknown } from './shared.js';

const args = {
  bind: {
    ...bindArg.bind,
    description: 'Check also that a server could listen there',
  },
  ...configArg,
} as const;

export const reload = defineCommand({
  meta: {
    name: 'trove-server reload',
    description:
      'Check server.toml and print the resulting settings; a running server picks up changes when it is restarted',
  },
  args,
  async run({ args: given }) {
    refuseUnknown(given, args);
    const config = await configOf(given.config, bindOption(given.bind));
    const bind = parseBind(config.settings.server.bind, config.origins.get('server.bind'));
    // A running server listens at its own address, so only one that was asked about is tried.
    if (given.bind !== undefined) await checkAddress(bind);
    await givenToken(config.settings.auth_token);
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
