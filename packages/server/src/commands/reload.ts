import { defineCommand } from 'citty';
import { parseBind } from '../config/bind.js';
import { reportConfig } from '../config/report.js';
import { configArg, configOf, refuseUnknown } from './shared.js';

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
    process.stdout.write(reportConfig(config));
  },
});
