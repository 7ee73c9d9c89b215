import { defineCommand } from 'citty';
import type { Logger } from '@trove/core';
import { openTrove, type Engine } from 'trove';
import type { ServerConfig } from '../config/load.js';
import { createLogger } from '../log/logger.js';
import { version } from '../version.js';
import { logStart } from './log-start.js';
import { configArg, configOf, packageRoots, refuseUnknown, sayFile, usageError } from './shared.js';
import { untilStopped } from './stop.js';

const args = {
  concurrency: {
    type: 'string',
    valueHint: 'N',
    description:
      'Number of threads that read objects and split them into chunks, or auto: one fewer than there are processors, two of two',
  },
  ...configArg,
} as const;

export const worker = defineCommand({
  meta: {
    name: 'trove-server worker',
    description: 'Work on queued jobs until stopped, without serving HTTP',
  },
  args,
  async run({ args: given }) {
    refuseUnknown(given, args);
    const config = await configOf(given.config, concurrencyOption(given.concurrency));
    sayFile(config);
    const { settings } = config;
    const logger = await createLogger(settings.log);
    await untilStopped(startWorking(config, logger), logger);
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
    throw usageError('--concurrency must be a number of threads, or auto');
  }
  const value = text === 'auto' ? text : Number(text);
  return [{ option: '--concurrency', path: ['worker', 'concurrency'], value }];
}
