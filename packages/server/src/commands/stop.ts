import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@trove/core';
import closeWithGrace from 'close-with-grace';

const graceMs = 9000;

/**
 * Closes on SIGTERM, SIGINT and the like, then exits with 0; after an uncaught error, with 1. What takes longer than
 * the grace is left as it is: whatever dies at any moment heals at the next start.
 */
export function stopWithGrace(close: () => Promise<void>, logger: Logger): void {
  const log = { error: (message: unknown) => logger.error(String(message)) };
  closeWithGrace({ delay: null, logger: log }, async ({ signal, err }) => {
    if (err === undefined) logger.info('stopping', { signal });
    else logger.error('stopping after an uncaught error', { error: err });
    const late = sleep(graceMs, 'late', { ref: false });
    const outcome = await Promise.race([close(), late]);
    if (outcome === 'late') logger.warn('stopping took too long, leaving');
    else logger.info('stopped');
  });
}
