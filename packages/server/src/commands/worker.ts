import { commandBody, UsageError } from '@trove/commands';
import type { Logger } from '@trove/core';
import { openTrove, type Engine } from 'trove';
import type { ServerConfig } from '../config/load.js';
import { createLogger } from '../log/logger.js';
import { version } from '../version.js';
import { logStart } from './log-start.js';
import type { ServerContext } from './context.js';
import { configArg, configOf, packageRoots, printConfigFile } from './shared.js';
import { runUntilStopped } from './stop.js';

export const worker = commandBody({
  args: {
    concurrency: {
      type: 'string',
      valueHint: 'N',
      description:
        'Number of threads that read objects and split them into chunks, or auto: one fewer than the processors, at most eight (two for two processors)',
    },
    ...configArg,
  },
  notes: ['SIGTERM and SIGINT stop it within 10 s. Another worker continues its work.'],
  examples: [
    { command: 'trove-server worker', does: 'run jobs, beside any number of other workers' },
  ],
  async run(args, { out }: ServerContext) {
    const config = await configOf(args.text('config'), concurrencyOption(args.text('concurrency')));
    await printConfigFile(config, out);
    const { settings } = config;
    const logger = await createLogger(settings.log);
    await runUntilStopped(startWorking(config, logger), logger);
    logStart('working', config, logger, { concurrency: settings.worker.concurrency });
  },
});

async function startWorking(config: ServerConfig, logger: Logger): Promise<Engine> {
  const engine = await openTrove(config.settings, {
    logger,
    version,
    appRoots: packageRoots(config),
  });
  engine.startWorker();
  return engine;
}

function concurrencyOption(text: string | undefined) {
  if (text === undefined) return [];
  if (text !== 'auto' && !/^[1-9]\d{0,2}$/.test(text)) {
    throw new UsageError('--concurrency must be a number from 1 to 999, or auto');
  }
  const value = text === 'auto' ? text : Number(text);
  return [{ option: '--concurrency', path: ['worker', 'concurrency'], value }];
}
