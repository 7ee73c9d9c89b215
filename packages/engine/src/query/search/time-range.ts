import { TroveError, type Filter } from '@trove/core';

const age = /^(\d{1,6})([smhdw])$/;
const unitMs = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
]);
const isoTime =
  /^\d{4}-\d{2}-\d{2}(?<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/i;

/** Returns the condition for objects that were modified at `since` or later, and before `until`. Null for none. */
export function timeCondition(
  { since, until }: { readonly since?: string | undefined; readonly until?: string | undefined },
  now: number,
): Filter | null {
  const filters: Filter[] = [];
  for (const [name, text, comparison] of [
    ['since', since, '>='],
    ['until', until, '<'],
  ] as const) {
    if (text === undefined) continue;
    filters.push({
      op: 'compare',
      field: 'modified_at',
      comparison,
      value: parseTime(name, text.trim(), now),
    });
  }
  return filters.length === 0 ? null : { op: 'and', filters };
}

/** Parses an age such as `7d`, or an ISO date or date-time. The default zone is UTC. */
function parseTime(name: string, text: string, now: number): number {
  const [, count, unit = ''] = age.exec(text) ?? [];
  const ms = unitMs.get(unit);
  if (ms !== undefined) return now - Number(count) * ms;
  const groups = isoTime.exec(text)?.groups;
  const isLocal = groups?.['time'] !== undefined && groups['zone'] === undefined;
  const time = groups === undefined ? NaN : Date.parse(isLocal ? `${text}Z` : text);
  if (!Number.isNaN(time)) return time;
  throw new TroveError(
    'validation_error',
    `${name}: must be an ISO date, a date and time, or an age`,
    { suggestions: ['Use a time such as 2026-01-31, 2026-01-31T12:00:00Z, 7d or 12h.'] },
  );
}
