import type { RequestBudget } from './description/index.js';
import { isRecord } from './json.js';
import { durationMs } from './times.js';

/** A longer pause ends after this time, because the answer or the clock that stated it may be wrong. */
export const maxPauseMs = 24 * 3_600_000;
/** Times of requests are rounded to this part of the period of a budget, which bounds the state. */
const stepsPerPeriod = 1000;

/** What the sources and processes of a login share about the limits of one service. JSON. */
export interface LimitState {
  readonly pausedUntil: number;
  /** The times of requests and their numbers by budget, oldest first. */
  readonly sent: Readonly<Record<string, readonly SentRequests[]>>;
}

type SentRequests = readonly [time: number, requests: number];

/** Reads a state, of which another process may have written anything. */
export function readLimitState(value: unknown): LimitState {
  const { pausedUntil, sent } = isRecord(value) ? value : {};
  const until = typeof pausedUntil === 'number' ? pausedUntil : 0;
  const budgets = Object.entries(isRecord(sent) ? sent : {}).map(([name, times]) => [
    name,
    Array.isArray(times) ? times.filter(isSent) : [],
  ]);
  return {
    pausedUntil: Math.min(until, Date.now() + maxPauseMs),
    sent: Object.fromEntries(budgets),
  };
}

function isSent(value: unknown): value is SentRequests {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

/** Returns the milliseconds until a budget allows a request. */
export function budgetWaitMs({ sent }: LimitState, budget: RequestBudget, now: number): number {
  const perMs = durationMs(budget.per);
  const times = recent(sent[nameOf(budget)] ?? [], perMs, now);
  let excess = times.reduce((sum, [, requests]) => sum + requests, 0) - budget.requests + 1;
  for (const [time, requests] of times) {
    if (excess <= 0) return 0;
    excess -= requests;
    if (excess <= 0) return Math.max(1, time + perMs - now);
  }
  return 0;
}

/** Returns the state with one more request of each budget. */
export function withRequest(
  state: LimitState,
  budgets: readonly RequestBudget[],
  now: number,
): LimitState {
  const sent = { ...state.sent };
  for (const budget of budgets) {
    const perMs = durationMs(budget.per);
    const stepMs = Math.max(1, Math.floor(perMs / stepsPerPeriod));
    const time = Math.ceil(now / stepMs) * stepMs;
    const times = recent(sent[nameOf(budget)] ?? [], perMs, now);
    const [last, requests] = times.at(-1) ?? [0, 0];
    sent[nameOf(budget)] =
      last >= time ? [...times.slice(0, -1), [last, requests + 1]] : [...times, [time, 1]];
  }
  return { ...state, sent };
}

/** Leaves out requests of earlier periods, and times of the future, which a clock that was set back leaves. */
function recent(
  times: readonly SentRequests[],
  perMs: number,
  now: number,
): readonly SentRequests[] {
  return times.filter(([time]) => now - time < perMs && time - now < perMs);
}

function nameOf({ match = '', requests, per }: RequestBudget): string {
  return `${requests}/${per} ${match}`;
}
