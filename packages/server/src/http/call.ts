import { isTroveError, TroveError } from '@trove/core';
import type { Context } from 'koa';

/**
 * Runs a call with a signal that aborts when the client disconnects, or with `timed_out` after `timeoutMs`.
 * Rejects immediately on abort, even if the call ignores its signal. The signal stays active until the response
 * is sent. `extend` restarts the timeout.
 */
export async function callWithDeadline<T>(
  { res }: Context,
  timeoutMs: number,
  call: (signal: AbortSignal, extend: () => void) => Promise<T>,
): Promise<{ readonly result: T; readonly signal: AbortSignal }> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    const seconds = Math.round(timeoutMs / 1000);
    controller.abort(new TroveError('timed_out', `The request took longer than ${seconds} s`));
  }, timeoutMs);
  res.once('close', () => {
    clearTimeout(timer);
    if (!res.writableFinished) controller.abort(new ClientGoneError());
  });
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => setImmediate(reject, signal.reason), { once: true });
  });
  // The call's own timeout error may contain more detail.
  const called = call(signal, () => void timer.refresh()).catch((error: unknown) => {
    const isTimeout = isTroveError(error) && error.code === 'timed_out';
    throw signal.aborted && !isTimeout ? signal.reason : error;
  });
  return { result: await Promise.race([called, aborted]), signal };
}

/** The client disconnected before the response. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
