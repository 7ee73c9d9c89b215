import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@trove/core';
import closeWithGrace from 'close-with-grace';
import { logUncaught } from './uncaught.js';

const graceMs = 9000;
/** An error during a hanging start is logged after this time, before the grace period ends. */
const maxRedactWaitMs = 8000;
/** Time for a disk to answer abandoned reads. */
const maxDiskWaitMs = 500;
const pollMs = 10;

interface Closable {
  close(): Promise<void>;
  redact(text: string): string;
  /** Resolves when this process can no longer serve, but a new process can. */
  readonly superseded: Promise<unknown>;
}

/** Kills the process if a thread waits for an unresponsive disk, because it would never exit. */
async function killIfStuck(logger: Logger): Promise<void> {
  const deadline = performance.now() + maxDiskWaitMs;
  while (waitsForDisk()) {
    if (performance.now() < deadline) {
      await sleep(pollMs);
      continue;
    }
    logger.warn('a disk does not respond, killing the process');
    process.kill(process.pid, 'SIGKILL');
    return;
  }
}

function waitsForDisk(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));
}

/**
 * Resolves with the started server or worker. Closes it on SIGTERM, SIGINT and similar signals, even during the
 * start. The process then exits with 0. It exits with 1 after an exception in its own code, or when it is
 * superseded, so that its supervisor starts a new one. Work that exceeds the grace period is abandoned, because
 * the next start recovers from a crash.
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
        .catch((error: unknown) => logger.error('closing failed', { error }));
      const late = sleep(graceMs, 'late', { ref: false });
      if ((await Promise.race([closed, late])) === 'late')
        logger.warn('stopping took too long, exiting');
      else logger.info('stopped');
      if (failed) process.exit(1);
      await killIfStuck(logger);
    },
  );
  // Secrets are unknown until everything is open.
  const hidden = 'hidden, because it may contain a secret';
  const redact = (text: string): Promise<string> =>
    Promise.race([
      starting.then((started) => started.redact(text)).catch(() => hidden),
      sleep(maxRedactWaitMs, hidden, { ref: false }),
    ]);
  const fail = (): void => {
    if (failed) return;
    failed = true;
    close();
  };
  const stopLogging = logUncaught(logger, redact, fail);
  try {
    const started = await starting;
    void started.superseded.then(fail);
    return started;
  } catch (error) {
    uninstall();
    stopLogging();
    throw error;
  }
}
