import { inspect, types } from 'node:util';
import type { Logger } from '@trove/core';
import { ownPackages } from '../own-package.js';

const maxLoggedPerMinute = 20;
const maxLoggedChars = 10_000;
const minute = 60_000;

/**
 * Logs uncaught errors instead of letting them end the process. An unhandled rejection has left nothing half done that
 * anyone waits for. Neither has an exception that a plugin threw from a timer or an emitter: no call of another source
 * was on the stack. For an exception in Trove's own code, `onOwn` is called. `redact` takes the secrets out of what is
 * logged. Returns a function that undoes this.
 */
export function logUncaught(
  logger: Logger,
  redact: (text: string) => Promise<string>,
  onOwn: () => void,
): () => void {
  const log = limitRate(logger, redact);
  const onRejection = (reason: unknown): void =>
    void log('a promise was rejected and nobody awaited it; going on', reason);
  const onException = (error: unknown): void => {
    if (isOwn(error)) {
      void log('stopping after an exception that nobody caught', error);
      onOwn();
    } else void log('an exception was caught by nobody; going on', error);
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

/**
 * Whether Trove's own code threw it: the topmost file of its stack is ours. A socket error's stack has no files at all.
 */
function isOwn(error: unknown): boolean {
  // Not `instanceof`: what a plugin throws may be a proxy, whose traps would throw in here.
  if (!types.isNativeError(error)) return false;
  const [, file] =
    /^ {4}at .*?(?:file:\/\/)?(\/[^:()]+):\d+:\d+\)?$/m.exec(describeThrown(error)) ?? [];
  return file?.startsWith(ownPackages) === true;
}

/** A thrown value as text; runs no code of whoever made it, and never throws. */
function describeThrown(thrown: unknown): string {
  try {
    return inspect(thrown, { customInspect: false, depth: 2 }).slice(0, maxLoggedChars);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** A plugin whose timer throws a thousand times a second must not fill the disk. */
function limitRate(
  logger: Logger,
  redact: (text: string) => Promise<string>,
): (message: string, error: unknown) => Promise<void> {
  let since = -Infinity;
  let logged = 0;
  return async (message, error) => {
    if (performance.now() - since > minute) {
      since = performance.now();
      logged = 0;
    }
    logged++;
    if (logged > maxLoggedPerMinute) return;
    const isLast = logged === maxLoggedPerMinute;
    logger.error(message, { error: await redact(describeThrown(error)) });
    if (isLast) logger.error('more like it are not logged for a minute');
  };
}
