import { isTroveError, TroveError } from '@trove/core';
import type { Context } from 'koa';

/**
 * Runs a call with a signal that aborts when the client disconnects or time runs out, until the answer is sent. Rejects
 * at that moment whether or not the call honours its signal, with `timed_out` in the latter case. `extend` gives it its
 * whole time again.
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
  // The call's own error about the timeout may say more.
  const called = call(signal, () => void timer.refresh()).catch((error: unknown) => {
    const isTimeout = isTroveError(error) && error.code === 'timed_out';
    throw signal.aborted && !isTimeout ? signal.reason : error;
  });
  return { result: await Promise.race([called, aborted]), signal };
}

/** Nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
