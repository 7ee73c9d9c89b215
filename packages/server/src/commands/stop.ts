import type { Logger } from '@trove/core';
import closeWithGrace from 'close-with-grace';

const graceMs = 9500;

/** Closes on SIGTERM, SIGINT and the like, then exits with 0; after an uncaught error, with 1. */
export function stopWithGrace(close: () => Promise<void>, logger: Logger): void {
  const log = { error: (message: unknown) => logger.error(String(message)) };
  closeWithGrace({ delay: graceMs, logger: log }, async ({ signal, err }) => {
    if (err === undefined) logger.info('stopping', { signal });
    else logger.error('stopping after an uncaught error', { error: err });
    await close();
    logger.info('stopped');
  });
}
