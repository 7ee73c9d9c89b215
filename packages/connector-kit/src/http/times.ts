import type { TimeFormat } from './description/index.js';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Smaller numbers are seconds. As milliseconds they would lie before March 1973. */
const minMilliseconds = 100_000_000_000;
/** The range of `Date`. */
const maxMilliseconds = 8.64e15;
/** Texts that begin like a date. `Date.parse` also finds one in `Ticket 5`. */
const dateStart =
  /^\s*(?:[+-]?\d{4,6}[-/]\d|\d{1,2}[-/ ]|(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[,. ])/i;
/** An ISO time without an offset, which services mean as UTC and `Date.parse` as local time. */
const withoutOffset = /^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?\s*$/;

/** Returns the milliseconds of a duration such as `30s`, `10m`, `3h` or `30d`. */
export function durationMs(duration: string | number): number {
  if (typeof duration === 'number') return duration;
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(duration) ?? [];
  return Number(count) * (unitsMs[unit] ?? Number.NaN);
}

/** Parses an ISO date, epoch seconds or epoch milliseconds, also as a text of digits. Undefined for other values. */
export function timeOf(value: unknown): number | undefined {
  if (value instanceof Date) return timeOf(value.getTime());
  if (typeof value === 'string' && !/^\d+(?:\.\d+)?$/.test(value)) {
    if (!dateStart.test(value)) return undefined;
    const parsed = Date.parse(
      withoutOffset.test(value) ? `${value.trim().replace(' ', 'T')}Z` : value,
    );
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined;
  const ms = Math.round(number < minMilliseconds ? number * 1000 : number);
  return ms <= maxMilliseconds ? ms : undefined;
}

/** Formats a time for a request. */
export function formatTime(ms: number, format: TimeFormat = 'iso'): string | number {
  const time = Math.max(0, ms);
  if (format === 'milliseconds') return time;
  if (format === 'seconds') return Math.floor(time / 1000);
  const iso = new Date(time).toISOString();
  return format === 'date' ? iso.slice(0, 10) : iso;
}
