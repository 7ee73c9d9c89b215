import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@trove/core';
import closeWithGrace from 'close-with-grace';
import { logUncaught } from './uncaught.js';

const graceMs = 9000;
/** Before that is over, an error in a start that hangs is logged. */
const hiddenAfterMs = 8000;
/** How long a disk may take to answer what nobody waits for any more. */
const maxDiskWaitMs = 500;
const pollMs = 10;

/** Something that can be started and closed. */
interface Closable {
  close(): Promise<void>;
  redact(text: string): string;
  /** Resolves when it can do nothing more, and one that is started anew can. */
  readonly superseded: Promise<unknown>;
}

/** A thread that waits for a dead disk would keep the process from exiting. */
async function killIfStuck(logger: Logger): Promise<void> {
  const deadline = performance.now() + maxDiskWaitMs;
  while (waitsForDisk()) {
    if (performance.now() < deadline) {
      await sleep(pollMs);
      continue;
    }
    logger.warn('a disk does not answer: what waits for it is killed');
    process.kill(process.pid, 'SIGKILL');
    return;
  }
}

function waitsForDisk(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

/**
 * Resolves with what was started, and closes it on SIGTERM, SIGINT and the like, even during the start; then the
 * process exits with 0, or with 1 after an exception in its own code, or once it is superseded: whoever watches over it then
 * starts another. Whatever exceeds the grace period is abandoned: everything here recovers from a crash at the next start.
 */
export async function runUntilStopped<T extends Closable>(
  starting: Promise<T>,
  logger: Logger,
): Promise<T> {
  const log = { error: (message: unknown) => logger.error(String(message)) };
  let failed = false;
  const { close, uninstall } = closeWithGrace(
    { delay: null, logger: log, skip: ['unhandledRejection', 'uncaughtException'] },
    async ({ signal }) => {
      if (!failed) logger.info('stopping', { signal });
      const closed = starting
        .then((started) => started.close())
        .catch((error: unknown) => logger.error('not everything could be closed', { error }));
      const late = sleep(graceMs, 'late', { ref: false });
      if ((await Promise.race([closed, late])) === 'late')
        logger.warn('stopping took too long, leaving');
      else logger.info('stopped');
      if (failed) process.exit(1);
      await killIfStuck(logger);
    },
  );
  // Until everything is open, nobody knows which secrets an error may quote.
  const hidden = 'not shown, as it may quote a secret';
  const redact = (text: string): Promise<string> =>
    Promise.race([
      starting.then((started) => started.redact(text)).catch(() => hidden),
      sleep(hiddenAfterMs, hidden, { ref: false }),
    ]);
  const fail = (): void => {
    if (failed) return;
    failed = true;
    close();
  };
  const undo = logUncaught(logger, redact, fail);
  try {
    const started = await starting;
    void started.superseded.then(fail);
    return started;
  } catch (error) {
    uninstall();
    undo();
    throw error;
  }
}
