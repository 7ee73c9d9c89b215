import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@trove/core';
import closeWithGrace from 'close-with-grace';

const graceMs = 9000;

/** What can be started and closed. */
interface Closable {
  close(): Promise<void>;
}

/**
 * Resolves with what was started, and from now on closes it on SIGTERM, SIGINT and the like, also while it still
 * starts; then the process exits with 0, after an uncaught error with 1. What takes longer than the grace is left as
 * it is: whatever dies at any moment heals at the next start.
 */
export async function untilStopped<T extends Closable>(
  starting: Promise<T>,
  logger: Logger,
): Promise<T> {
  const log = { error: (message: unknown) => logger.error(String(message)) };
  const { uninstall } = closeWithGrace({ delay: null, logger: log }, async ({ signal, err }) => {
    if (err === undefined) logger.info('stopping', { signal });
    else logger.error('stopping after an uncaught error', { error: err });
    const closed = starting.then((started) => started.close());
    const late = sleep(graceMs, 'late', { ref: false });
    if ((await Promise.race([closed, late])) === 'late')
      logger.warn('stopping took too long, leaving');
    else logger.info('stopped');
  });
  try {
    return await starting;
  } catch (error) {
    uninstall();
    throw error;
  }
}
