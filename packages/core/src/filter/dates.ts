import { errorAt } from './tokens.js';

const isoDate =
  /^\d{4}-\d{2}-\d{2}(?<time>T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?<zone>Z|[+-]\d{2}:\d{2})?)?$/i;

/** Parses an ISO date, or date and time, to milliseconds since 1970. The default zone is UTC. */
export function parseDate(text: string, at: number): number {
  const match = isoDate.exec(text);
  const isLocal = match?.groups?.['time'] !== undefined && match.groups['zone'] === undefined;
  const time = match === null ? NaN : Date.parse(isLocal ? `${text}Z` : text);
  if (Number.isNaN(time)) {
    throw errorAt(
      at,
      'expected an ISO date',
      'Compare modified_at with a date such as "2026-01-31" or "2026-01-31T12:00:00Z", or with milliseconds since 1970.',
    );
  }
  return time;
}
