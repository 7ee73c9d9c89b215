import type { TimeFormat } from './description/index.js';

const unitsMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Smaller numbers are seconds. As milliseconds they would lie before March 1973. */
const minMilliseconds = 100_000_000_000;

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
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed;
  }
  const number = typeof value === 'string' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number) || number <= 0) return undefined;
  return Math.round(number < minMilliseconds ? number * 1000 : number);
}

/** Formats a time for a request. */
export function formatTime(ms: number, format: TimeFormat = 'iso'): string | number {
  const time = Math.max(0, ms);
  if (format === 'milliseconds') return time;
  if (format === 'seconds') return Math.floor(time / 1000);
  const iso = new Date(time).toISOString();
  return format === 'date' ? iso.slice(0, 10) : iso;
}
