const units = [
  ['y', 365 * 24 * 60 * 60],
  ['mo', 30 * 24 * 60 * 60],
  ['d', 24 * 60 * 60],
  ['h', 60 * 60],
  ['min', 60],
] as const;

/** Returns the time since an ISO date in its largest unit, such as `3 d`. Null for a missing or invalid date. */
export function ageOf(date: string | null, now: number): string | null {
  const time = date === null ? NaN : Date.parse(date);
  if (Number.isNaN(time)) return null;
  const seconds = Math.max(0, (now - time) / 1000);
  const unit = units.find(([, length]) => seconds >= length);
  return unit === undefined ? 'now' : `${Math.floor(seconds / unit[1])} ${unit[0]}`;
}
