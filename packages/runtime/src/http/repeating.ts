import { TroveError } from '@trove/core';
import { retryAfterMs } from '@trove/core/provider';
import { delay } from '../abort.js';
import { retryPause } from '../retry.js';
import { canResend, mayRepeat, type Asked } from './asked.js';
import { isPassing } from './failures.js';

/** Answers that the same request, sent again, may not get. */
const passing = new Set([408, 425, 429, 502, 503, 504]);
const refusedUnread = 429;
const maxRepeats = 2;
/** A host that asks for more time than this, with one request, gets it: the caller is told to wait. */
const patienceMs = 5000;

/**
 * Sends a request again while it may succeed and nobody waits for long; the last answer, or error, is the caller's. A host
 * that asks for a longer pause than that is left alone: throws `connector_unhealthy` with `retryAfterMs`.
 */
export async function withRepeats(
  asked: Asked,
  signal: AbortSignal,
  send: () => Promise<Response>,
): Promise<Response> {
  let left = patienceMs;
  for (let repeats = 0; ; repeats++) {
    const outcome = await settled(send);
    if ('answer' in outcome && !passing.has(outcome.answer.status)) return outcome.answer;
    const wanted = 'answer' in outcome ? (retryAfterMs(outcome.answer.headers) ?? null) : null;
    const isAgain = repeats < maxRepeats && allows(asked, outcome);
    const pause = wanted ?? retryPause(repeats + 1, null);
    if (isAgain && pause <= left) {
      left -= pause;
      await discard(outcome);
      await delay(pause, signal);
      signal.throwIfAborted();
      continue;
    }
    if ('error' in outcome) throw outcome.error;
    if (wanted === null) return outcome.answer;
    await discard(outcome);
    throw asksForTime(asked.url, outcome.answer.status, wanted);
  }
}

type Outcome = { readonly answer: Response } | { readonly error: unknown };

function settled(send: () => Promise<Response>): Promise<Outcome> {
  return send().then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
}

/** What was refused because of the rate has had no effect, whatever was asked. */
function allows(asked: Asked, outcome: Outcome): boolean {
  if ('error' in outcome) return mayRepeat(asked) && isPassing(outcome.error);
  return outcome.answer.status === refusedUnread ? canResend(asked.body) : mayRepeat(asked);
}

async function discard(outcome: Outcome): Promise<void> {
  if ('answer' in outcome) await outcome.answer.body?.cancel().catch(() => undefined);
}

function asksForTime({ host }: URL, status: number, wanted: number): TroveError {
  const seconds = Math.ceil(wanted / 1000);
  return new TroveError(
    'connector_unhealthy',
    `${host} asks to be left alone for ${seconds} s (HTTP ${status})`,
    { retryable: true, retryAfterMs: wanted },
  );
}
