import { commandBody, type CommandBody, type Example } from '@trove/commands';
import { createLogger } from '../log/logger.js';
import type { ServerContext } from './context.js';
import { serve } from './serve.js';
import { bindArg, bindOption, configArg, configOf, printConfigFile } from './shared.js';
import { runUntilStopped } from './stop.js';

function serverCommand(examples: readonly Example[]): CommandBody<ServerContext> {
  return commandBody({
    args: { ...bindArg, ...configArg },
    notes: [
      'Prints the configuration file and the address, and logs to stderr. SIGTERM and SIGINT stop it within 10 s.',
      'The address in a browser is the console: a page to search, read and manage sources.',
    ],
    examples,
    async run(args, { out }: ServerContext) {
      const config = await configOf(args.text('config'), bindOption(args.text('bind')));
      await printConfigFile(config, out);
      const logger = await createLogger(config.settings.log);
      const server = await runUntilStopped(serve(config, logger), logger);
      const signIn = server.needsToken ? ' Sign in: trove console' : '';
      await out.write(
        `Trove is listening on ${server.url}\nOpen this address in a browser for the console.${signIn}\n`,
      );
    },
  });
}

export const run = serverCommand([
  { command: 'trove-server run', does: 'serve at 127.0.0.1:13619' },
  { command: 'trove-server run --bind 127.0.0.1:0', does: 'serve on any free port' },
]);
export const api = serverCommand([
  { command: 'trove-server api', does: 'serve, while workers run the jobs' },
]);
