import { timeOf } from '../times.js';

/** Returns a time in the form of another one: a date, seconds or milliseconds since 1970, also as a text. */
export function timeLike(other: unknown, ms: number): unknown {
  const isMilliseconds = Number(other) === timeOf(other);
  if (typeof other === 'number') return isMilliseconds ? ms : ms / 1000;
  if (typeof other === 'string' && /^\d+$/.test(other))
    return String(isMilliseconds ? ms : Math.floor(ms / 1000));
  if (typeof other === 'string' && /^\d+\.\d+$/.test(other)) return (ms / 1000).toFixed(6);
  return new Date(ms).toISOString();
}
