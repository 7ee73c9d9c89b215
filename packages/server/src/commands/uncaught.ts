import { fileURLToPath } from 'node:url';
import type { Logger } from '@trove/core';

/** Where the packages of Trove are, this one among them. */
const ownPackages = fileURLToPath(new URL('../../../', import.meta.url));
const loggedAMinute = 20;
const minute = 60_000;

/**
 * Logs what nobody caught instead of letting it end the process. A rejected promise that nobody awaits has left nothing
 * half done that somebody waits for. Neither has what a plugin threw out of a timer or an emitter: no call of another
 * source was on the stack. An exception of Trove's own code is another matter: `onOwn` is called with it. Returns
 * what undoes this.
 */
export function surviveUncaught(logger: Logger, onOwn: (error: unknown) => void): () => void {
  const log = sparing(logger);
  const onRejection = (reason: unknown): void =>
    log('a promise was rejected and nobody awaited it; going on', reason);
  const onException = (error: unknown): void => {
    if (isOwn(error)) onOwn(error);
    else log('an exception was caught by nobody; going on', error);
  };
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection);
    process.off('uncaughtException', onException);
  };
}

/** Whether Trove's own code threw it: the topmost file of its stack is ours. A socket's error names no file at all. */
function isOwn(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const [, file] =
    /^ {4}at .*?(?:file:\/\/)?(\/[^:()]+):\d+:\d+\)?$/m.exec(error.stack ?? '') ?? [];
  return file?.startsWith(ownPackages) === true;
}

/** A plugin whose timer throws a thousand times a second must not fill the disk. */
function sparing(logger: Logger): (message: string, error: unknown) => void {
  let since = 0;
  let logged = 0;
  return (message, error) => {
    if (Date.now() - since > minute) {
      since = Date.now();
      logged = 0;
    }
    logged++;
    if (logged <= loggedAMinute) logger.error(message, { error });
    if (logged === loggedAMinute) logger.error('more like it are not logged for a minute');
  };
}
