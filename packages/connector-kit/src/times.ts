/** Plausible times from 2001 to 2128. */
const seconds = [1e9, 5e9] as const;
const milliseconds = [1e12, 5e12] as const;

/**
 * Returns a time in milliseconds since 1970, or null. Accepts ISO 8601 (UTC without a zone) and numbers of seconds or
 * milliseconds.
 */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'number') {
    if (isWithin(value, seconds)) return Math.round(value * 1000);
    return isWithin(value, milliseconds) ? Math.round(value) : null;
  }
  if (typeof value !== 'string') return null;
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(
      value.trim(),
    ) ?? [];
  if (day === undefined) return null;
  const parsed = Date.parse(`${day}T${time ?? '00:00'}${zone ?? 'Z'}`);
  return Number.isNaN(parsed) ? null : parsed;
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value < to;
}
