import { setTimeout as sleep } from 'node:timers/promises';
import { TroveError } from '@trove/core';

import type { Answer, RequestBudget, Limits } from './description/index.js';
import { textOf, valueAt } from './json.js';
import { durationMs, timeOf } from './times.js';

const defaultPlaces = ['header.retry-after', 'header.x-ratelimit-reset', 'header.ratelimit-reset'];
const defaultWaitMs = 60_000;
/** Shorter waits pass inside a call. Longer ones pause the source. */
const maxSleepMs = 5000;
/** Smaller numbers are seconds from now. */
const minEpochSeconds = 1_000_000_000;

/** The limits of one login, shared by its sources in this process. */
export class LoginLimits {
  readonly #limits: Limits;
  #pausedUntil = 0;
  /** The times of the requests of each budget, oldest first. */
  readonly #sent = new Map<RequestBudget, number[]>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /**
   * Takes a request out of the budgets. Sleeps for a short wait. For a long one, throws a retryable error with
   * `retryAfterMs`.
   */
  async admit(url: URL, signal: AbortSignal): Promise<void> {
    for (;;) {
      const now = Date.now();
      const waitMs = Math.max(
        this.#pausedUntil - now,
        ...this.#budgetsOf(url).map((each) => this.#waitOf(each, now)),
      );
      if (waitMs <= 0) break;
      if (waitMs > maxSleepMs) throw waitError(url.host, 'its limit is reached', waitMs);
      await sleep(waitMs, undefined, { signal });
    }
    for (const budget of this.#budgetsOf(url)) this.#timesOf(budget).push(Date.now());
  }

  /** Makes all requests of the login wait. Returns the error to throw. */
  pause(host: string, answer: Answer | null, waitMs: number, say?: string): TroveError {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + waitMs);
    const status = answer === null ? '' : ` (HTTP ${answer.status})`;
    return waitError(host, say ?? `too many requests${status}`, waitMs);
  }

  /** Returns the wait that an answer states, in milliseconds, or null. */
  statedWaitMs(answer: Answer): number | null {
    for (const place of this.#limits.waitFrom ?? defaultPlaces) {
      const waitMs = toWaitMs(readPlace(answer, place));
      if (waitMs !== null) return waitMs;
    }
    return null;
  }

  get defaultWaitMs(): number {
    return this.#limits.wait === undefined ? defaultWaitMs : durationMs(this.#limits.wait);
  }

  #budgetsOf(url: URL): readonly RequestBudget[] {
    return (this.#limits.budgets ?? []).filter(
      ({ match }) => match === undefined || url.pathname.includes(match),
    );
  }

  #waitOf(budget: RequestBudget, now: number): number {
    const perMs = durationMs(budget.per);
    const times = this.#timesOf(budget);
    while (times[0] !== undefined && now - times[0] >= perMs) times.shift();
    return times.length < budget.requests ? 0 : (times[0] ?? now) + perMs - now;
  }

  #timesOf(budget: RequestBudget): number[] {
    const times = this.#sent.get(budget) ?? [];
    this.#sent.set(budget, times);
    return times;
  }
}

/** Reads `header.name` or a path in the body, `body.a.b`. */
export function readPlace({ headers, body }: Answer, place: string): unknown {
  if (place.startsWith('header.')) return headers.get(place.slice('header.'.length)) ?? undefined;
  return valueAt(body, place.replace(/^body\./, ''));
}

/** Interprets a number of seconds, an epoch time or an HTTP date as milliseconds from now. */
function toWaitMs(value: unknown): number | null {
  const text = textOf(value);
  if (text === undefined || text.trim() === '') return null;
  const number = Number(text);
  if (Number.isFinite(number) && number < minEpochSeconds)
    return Math.max(0, Math.ceil(number * 1000));
  const time = timeOf(text);
  return time === undefined ? null : Math.max(0, time - Date.now());
}

function waitError(host: string, reason: string, waitMs: number): TroveError {
  const seconds = Math.ceil(waitMs / 1000);
  return new TroveError('rate_limited', `${host} asks for a pause of ${seconds} s: ${reason}`, {
    retryable: true,
    retryAfterMs: Math.max(1, Math.ceil(waitMs)),
    suggestions: [],
  });
}
