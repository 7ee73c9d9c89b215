import { TroveError } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';
import { delay } from '../abort.js';
import { retryPause } from '../retry.js';
import { canResend, canRetry, type OutgoingRequest } from './outgoing-request.js';
import { isTransient } from './failures.js';

/** Statuses that a retry may avoid. */
const retryableStatuses = new Set([408, 425, 429, 502, 503, 504]);
const tooManyRequests = 429;
const maxHttpRetries = 2;
/** Total time of all pauses. A host that demands more is not retried. */
const maxTotalPauseMs = 5000;

/**
 * Sends a request and retries transient failures for a short time. Returns the last response or throws the last
 * error. If the host demands a longer pause, throws `rate_limited` after 429 and `connector_unhealthy` otherwise, with
 * `retryAfterMs`.
 */
export async function sendWithRetries(
  outgoing: OutgoingRequest,
  signal: AbortSignal,
  send: () => Promise<Response>,
): Promise<Response> {
  let left = maxTotalPauseMs;
  for (let retries = 0; ; retries++) {
    const outcome = await settleFetch(send);
    if ('response' in outcome && !retryableStatuses.has(outcome.response.status))
      return outcome.response;
    const demandedMs =
      'response' in outcome ? (retryAfterMs(outcome.response.headers) ?? null) : null;
    const mayRetry =
      retries < maxHttpRetries && canRetryAfter(outgoing, outcome) && !isUntimedLimit(outcome);
    const pause = demandedMs ?? retryPause(retries + 1, null);
    if (mayRetry && pause <= left) {
      left -= pause;
      await discard(outcome);
      await delay(pause, signal);
      signal.throwIfAborted();
      continue;
    }
    if ('error' in outcome) throw outcome.error;
    if (demandedMs === null) return outcome.response;
    await discard(outcome);
    throw rateLimitError(outgoing.url, outcome.response.status, demandedMs);
  }
}

type FetchOutcome = { readonly response: Response } | { readonly error: unknown };

function settleFetch(send: () => Promise<Response>): Promise<FetchOutcome> {
  return send().then(
    (response) => ({ response }),
    (error: unknown) => ({ error }),
  );
}

/** A request that was refused for its rate had no effect, so even a POST may be sent again. */
function canRetryAfter(outgoing: OutgoingRequest, outcome: FetchOutcome): boolean {
  if ('error' in outcome) return canRetry(outgoing) && isTransient(outcome.error);
  return outcome.response.status === tooManyRequests
    ? canResend(outgoing.body)
    : canRetry(outgoing);
}

/** Whether a host refuses the rate of requests and states no time. The caller knows how long the host wants to be left alone. */
function isUntimedLimit(outcome: FetchOutcome): boolean {
  if ('error' in outcome) return false;
  const { status, headers } = outcome.response;
  return status === tooManyRequests && retryAfterMs(headers) === undefined;
}

async function discard(outcome: FetchOutcome): Promise<void> {
  if ('response' in outcome) await outcome.response.body?.cancel().catch(() => undefined);
}

function rateLimitError({ host }: URL, status: number, demandedMs: number): TroveError {
  const seconds = Math.ceil(demandedMs / 1000);
  return new TroveError(
    status === tooManyRequests ? 'rate_limited' : 'connector_unhealthy',
    `${host} demands a pause of ${seconds} s (HTTP ${status})`,
    { retryable: true, retryAfterMs: demandedMs },
  );
}
