import { Cron } from 'croner';
import { messageOf, TroveError } from '@trove/core';
import { hash } from '../ids.js';
import { Hours } from './hours.js';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: 60 * minuteMs, d: dayMs };
const minEveryMs = 15 * minuteMs;
const maxEveryMs = 30 * dayMs;
/** Sources with the same cron expression begin within this time, and within a tenth of the time to the next one. */
const maxSpreadMs = 5 * minuteMs;
const spreadShare = 10;
/** How many times outside `hours` are skipped: more than the minutes of a week. */
const maxSkipped = 12_000;

/** The keys of a configuration that make a schedule. */
export interface ScheduleKeys {
  readonly every?: unknown;
  readonly cron?: unknown;
  readonly hours?: unknown;
}

/** The times at which sources are synced. Equal schedules of different sources have different times. */
export interface Schedule {
  /** The first time after `time` (ms since 1970). */
  next(sourceId: string, time: number): number;
  /** The first time of a source that is synced now. */
  first(sourceId: string, now: number): number;
}

/** Returns null without a schedule. Throws `config_invalid`. */
export function parseSchedule({ every, cron, hours: period }: ScheduleKeys): Schedule | null {
  if (every === undefined && cron === undefined) {
    if (period === undefined) return null;
    throw new TroveError('config_invalid', 'config.hours: requires `every` or `cron`');
  }
  if (every !== undefined && cron !== undefined)
    throw new TroveError('config_invalid', 'config.cron: cannot be combined with `every`');
  const hours = period === undefined ? null : Hours.parse(period);
  if (cron === undefined) {
    const ms = parseEvery(every);
    return hours === null ? everySchedule(ms) : everyScheduleWithin(ms, hours);
  }
  return cronSchedule(parseCron(cron), hours);
}

function parseEvery(text: unknown): number {
  const match = typeof text === 'string' ? /^([1-9]\d{0,4})([mhd])$/.exec(text) : null;
  const ms = Number(match?.[1]) * (unitMs[match?.[2] ?? ''] ?? Number.NaN);
  if (ms >= minEveryMs && ms <= maxEveryMs) return ms;
  throw new TroveError('config_invalid', 'config.every: must be a time from 15m to 30d', {
    suggestions: ['Write a number of minutes, hours or days, such as "15m", "6h" or "1d".'],
  });
}

function parseCron(text: unknown): Cron {
  const suggestions = [
    'Write minute, hour, day of the month, month and day of the week: "30 6 * * 1-5".',
  ];
  if (typeof text !== 'string' || text.trim().split(/\s+/).length !== 5)
    throw new TroveError('config_invalid', 'config.cron: must have five fields', { suggestions });
  try {
    return new Cron(text.trim(), { mode: '5-part', paused: true });
  } catch (error) {
    throw new TroveError('config_invalid', `config.cron: ${messageOf(error)}`, {
      suggestions,
      cause: error,
    });
  }
}

function everySchedule(ms: number): Schedule {
  const next = (sourceId: string, time: number): number => {
    const phase = offsetOf(sourceId, ms);
    return (Math.floor((time - phase) / ms) + 1) * ms + phase;
  };
  // Adds half an interval, because a new source has just been synced.
  return { next, first: (sourceId, now) => next(sourceId, now + ms / 2) };
}

function everyScheduleWithin(ms: number, hours: Hours): Schedule {
  const next = ms <= hours.lengthMs ? timesWithin(ms, hours) : timesOfDays(ms, hours);
  return { next, first: next };
}

/** The times of an interval that lie in `hours`. */
function timesWithin(ms: number, hours: Hours): Schedule['next'] {
  const all = everySchedule(ms);
  return (sourceId, time) => {
    let next = all.next(sourceId, time);
    while (!hours.contains(next)) next = all.next(sourceId, next);
    return next;
  };
}

/** One time in `hours`, on each day or, for a longer interval, every few days. */
function timesOfDays(ms: number, hours: Hours): Schedule['next'] {
  const days = Math.max(1, Math.floor(ms / dayMs));
  return (sourceId, time) => {
    const phase = offsetOf(sourceId, days);
    for (let day = -1; ; day++) {
      const { begins, ends } = hours.on(time, day);
      if ((dayNumber(begins) + phase) % days !== 0) continue;
      const next = begins + offsetOf(sourceId, ends - begins);
      if (next > time) return next;
    }
  };
}

function dayNumber(time: number): number {
  const date = new Date(time);
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs);
}

function cronSchedule(cron: Cron, hours: Hours | null): Schedule {
  const after = (time: number): number | null => {
    let at = cron.nextRun(new Date(time))?.getTime() ?? null;
    for (let skipped = 0; at !== null && hours !== null && !hours.contains(at); skipped++)
      at = skipped < maxSkipped ? (cron.nextRun(new Date(at))?.getTime() ?? null) : null;
    return at;
  };
  if (after(Date.now()) === null)
    throw new TroveError(
      'config_invalid',
      `config.cron: has no time${hours === null ? '' : ' within `hours`'}`,
    );
  const next = (sourceId: string, time: number): number => {
    let at = after(time - maxSpreadMs);
    while (at !== null) {
      const following = after(at) ?? Infinity;
      const room = hours === null ? Infinity : hours.endAfter(at) - at;
      const spread = Math.min(maxSpreadMs, (following - at) / spreadShare, room);
      const spreadAt = at + offsetOf(sourceId, spread);
      if (spreadAt > time) return spreadAt;
      at = following === Infinity ? null : following;
    }
    // The expression has no later time.
    return Number.MAX_SAFE_INTEGER;
  };
  return { next, first: next };
}

/** A number below `range`, constant for a source and spread evenly over sources. */
function offsetOf(sourceId: string, range: number): number {
  const digits = 12;
  const share = Number.parseInt(hash('schedule', sourceId).slice(0, digits), 16) / 16 ** digits;
  return Math.floor(share * range);
}
