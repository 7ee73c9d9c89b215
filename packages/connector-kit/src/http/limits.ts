import { setTimeout as sleep } from 'node:timers/promises';
import { TroveError, type LoginLimitState } from '@trove/core';

import type { Answer, Limits } from './description/index.js';
import { isRecord, memberOf, textOf, valueAt } from './json.js';
import {
  budgetWaitMs,
  maxPauseMs,
  readLimitState,
  withRequest,
  type LimitState,
} from './limit-state.js';
import { durationMs, timeOf } from './times.js';

const defaultPlaces = ['header.retry-after', 'header.x-ratelimit-reset', 'header.ratelimit-reset'];
const defaultWaitMs = 60_000;
/** Requests without any pause would be refused again. */
const minWaitMs = 1000;
/** Shorter waits pass inside a call. Longer ones pause the source. */
const maxSleepMs = 5000;
/** Smaller numbers are seconds from now. */
const minEpochSeconds = 1_000_000_000;

/** The limits of one login at one service, shared by its sources and by the processes of this machine. */
export class LoginLimits {
  readonly #limits: Limits;
  readonly #origin: string;
  readonly #shared: LoginLimitState;

  /** `origin`: that of the service. The state of a login may contain other services. */
  constructor(limits: Limits, origin: string, shared: LoginLimitState = new MemoryLimitState()) {
    this.#limits = limits;
    this.#origin = origin;
    this.#shared = shared;
  }

  /**
   * Takes a request out of the budgets. Sleeps for a short wait. For a long one, throws a retryable error with
   * `retryAfterMs`.
   */
  async admit(url: URL, signal: AbortSignal): Promise<void> {
    for (;;) {
      const waitMs = await this.#take(url, signal);
      if (waitMs <= 0) return;
      if (waitMs > maxSleepMs) throw waitError(url.host, 'its limit is reached', waitMs);
      await sleep(waitMs, undefined, { signal });
    }
  }

  /** Makes all requests of the login wait. Returns the error to throw. */
  async pause(
    host: string,
    answer: Answer | null,
    statedMs: number,
    signal: AbortSignal,
    say?: string,
  ): Promise<TroveError> {
    const waitMs = Math.min(statedMs, maxPauseMs);
    const until = Date.now() + waitMs;
    await this.#update(signal, (state) =>
      state.pausedUntil >= until ? state : { ...state, pausedUntil: until },
    );
    const status = answer === null ? '' : ` (HTTP ${answer.status})`;
    return waitError(host, say ?? `too many requests${status}`, waitMs);
  }

  /** Takes a request out of the budgets. Returns 0, or the milliseconds to wait before the next try. */
  async #take(url: URL, signal: AbortSignal): Promise<number> {
    const budgets = (this.#limits.budgets ?? []).filter(
      ({ match }) => match === undefined || url.pathname.includes(match),
    );
    const waitOf = (state: LimitState, now: number): number =>
      Math.max(state.pausedUntil - now, ...budgets.map((each) => budgetWaitMs(state, each, now)));
    if (budgets.length === 0) {
      const all = await this.#shared.get();
      return waitOf(readLimitState(memberOf(all, this.#origin)), Date.now());
    }
    let waitMs = 0;
    await this.#update(signal, (state) => {
      const now = Date.now();
      waitMs = waitOf(state, now);
      return waitMs > 0 ? state : withRequest(state, budgets, now);
    });
    return waitMs;
  }

  #update(signal: AbortSignal, change: (state: LimitState) => LimitState): Promise<void> {
    return this.#shared.update((all) => {
      const state = change(readLimitState(memberOf(all, this.#origin)));
      return { ...(isRecord(all) ? all : {}), [this.#origin]: state };
    }, signal);
  }

  /** Returns the wait that an answer states, in milliseconds, or null. */
  statedWaitMs(answer: Answer): number | null {
    for (const place of this.#limits.waitFrom ?? defaultPlaces) {
      const waitMs = isReached(answer, place) ? toWaitMs(readPlace(answer, place)) : null;
      if (waitMs !== null) return waitMs;
    }
    return null;
  }

  get defaultWaitMs(): number {
    return this.#limits.wait === undefined ? defaultWaitMs : durationMs(this.#limits.wait);
  }
}

/** The state of a login without a store. */
class MemoryLimitState implements LoginLimitState {
  #state: unknown;

  get(): Promise<unknown> {
    return Promise.resolve(this.#state);
  }

  update(change: (state: unknown) => unknown): Promise<void> {
    this.#state = change(this.#state);
    return Promise.resolve();
  }
}

/** Reads `header.name` or a path in the body, `body.a.b`. */
export function readPlace({ headers, body }: Answer, place: string): unknown {
  if (place.startsWith('header.')) return headers.get(place.slice('header.'.length)) ?? undefined;
  return valueAt(body, place.replace(/^body\./, ''));
}

/**
 * Whether the limit whose end a place states is reached. Services state the ends of all limits with each answer. A header such as
 * `x-ratelimit-requests-reset` has a sibling `x-ratelimit-requests-remaining`.
 */
function isReached({ headers }: Answer, place: string): boolean {
  const [, name] = /^header\.(.+)-reset$/.exec(place) ?? [];
  return name === undefined || !(Number(headers.get(`${name}-remaining`)) > 0);
}

/**
 * Interprets a number of seconds, an epoch time or an HTTP date as milliseconds from now. Null for a time in the past, which
 * another clock may have stated.
 */
function toWaitMs(value: unknown): number | null {
  const text = textOf(value)?.trim();
  if (text === undefined || text === '') return null;
  const number = Number(text);
  const time = Number.isFinite(number) && number < minEpochSeconds ? null : timeOf(text);
  const waitMs = time === null ? Math.ceil(number * 1000) : (time ?? Number.NaN) - Date.now();
  return waitMs >= 0 ? Math.max(minWaitMs, waitMs) : null;
}

function waitError(host: string, reason: string, waitMs: number): TroveError {
  const seconds = Math.ceil(waitMs / 1000);
  return new TroveError('rate_limited', `${host} asks for a pause of ${seconds} s: ${reason}`, {
    retryable: true,
    retryAfterMs: Math.max(1, Math.ceil(waitMs)),
    suggestions: [],
  });
}
