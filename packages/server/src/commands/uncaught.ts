import { inspect, types } from 'node:util';
import type { Logger } from '@trove/core';
import { ownPackages } from '../own-package.js';

const maxLoggedPerMinute = 20;
const maxLoggedChars = 10_000;
const minute = 60_000;

/**
 * Logs uncaught errors instead of ending the process. Unhandled rejections leave no call half done. Neither
 * does an exception that a plugin throws from a timer or an emitter, because no other call is on the stack.
 * Calls `onOwn` for an exception in Trove's own code. `redact` removes secrets from messages. Returns a
 * function that uninstalls the handlers.
 */
export function logUncaught(
  logger: Logger,
  redact: (text: string) => Promise<string>,
  onOwnException: () => void,
): () => void {
  const log = limitRate(logger, redact);
  const onRejection = (reason: unknown): void => void log('unhandled promise rejection', reason);
  const onException = (error: unknown): void => {
    if (isOwn(error)) {
      void log('uncaught exception, stopping', error);
      onOwnException();
    } else void log('uncaught exception of a plugin', error);
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

/** Whether the topmost file of the stack belongs to Trove. The stack of a socket error contains no files. */
function isOwn(error: unknown): boolean {
  // `instanceof` would run the traps of a proxy that a plugin throws.
  if (!types.isNativeError(error)) return false;
  const [, file] =
    /^ {4}at .*?(?:file:\/\/)?(\/[^:()]+):\d+:\d+\)?$/m.exec(describeThrown(error)) ?? [];
  return file?.startsWith(ownPackages) === true;
}

/** Describes a thrown value without running its code. Never throws. */
function describeThrown(thrown: unknown): string {
  try {
    return inspect(thrown, { customInspect: false, depth: 2 }).slice(0, maxLoggedChars);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** Limits the number of logged errors per minute, because a plugin may throw a thousand times a second. */
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
    if (isLast) logger.error('too many uncaught errors, no more are logged for a minute');
  };
}
