import { isTroveError, TroveError } from '@trove/core';
import type { Context } from 'koa';
import { confirmCaller } from './authenticate.js';
import type { HostLimits } from './limits.js';

/**
 * Runs a call with a signal that aborts when the client disconnects, with `timed_out` after the request timeout, or with
 * `unauthorized` when the token of the caller is revoked. Rejects immediately on abort, even if the call ignores its
 * signal. The signal stays active until the response is sent. `extend` restarts the timeout.
 */
export async function callWithDeadline<T>(
  ctx: Context,
  limits: Pick<HostLimits, 'requestTimeoutMs' | 'callerCheckMs'>,
  call: (signal: AbortSignal, extend: () => void) => Promise<T>,
): Promise<{ readonly result: T; readonly signal: AbortSignal }> {
  const { res } = ctx;
  const { requestTimeoutMs: timeoutMs } = limits;
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => {
    const seconds = Math.round(timeoutMs / 1000);
    controller.abort(new TroveError('timed_out', `The request took longer than ${seconds} s`));
  }, timeoutMs);
  const checks = setInterval(() => {
    confirmCaller(ctx).catch((error: unknown) => {
      // While the store fails, requests in progress continue.
      if (isTroveError(error) && error.code === 'unauthorized') controller.abort(error);
    });
  }, limits.callerCheckMs);
  res.once('close', () => {
    clearTimeout(timer);
    clearInterval(checks);
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
