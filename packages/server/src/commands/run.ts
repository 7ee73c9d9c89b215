import { defineCommand, type CommandDef } from 'citty';
import { createLogger } from '../log/logger.js';
import { bindArg, bindOption, configArg, configOf, refuseUnknown, sayFile } from './shared.js';
import { serve } from './serve.js';
import { untilStopped } from './stop.js';

const args = { ...bindArg, ...configArg };

function serverCommand(name: string, description: string): CommandDef<typeof args> {
  return defineCommand({
    meta: { name: `trove-server ${name}`, description },
    args,
    async run({ args: given }) {
      refuseUnknown(given, args);
      const config = await configOf(given.config, bindOption(given.bind));
      sayFile(config);
      const logger = await createLogger(config.settings.log);
      const server = await untilStopped(serve(config, logger), logger);
      process.stdout.write(`Trove is listening on ${server.url}\n`);
    },
  });
}

export const run = serverCommand(
  'run',
  'Serve the HTTP API; with SQLite (the default) also work on queued jobs',
);
export const api = serverCommand(
  'api',
  'The same as run: beside PostgreSQL it serves only, and workers do the jobs',
);
