/** The usual parameters of a list that name the oldest time of change. */
export const sinceNames = [
  'since',
  'updated_since',
  'updated_after',
  'modified_since',
  'modified_after',
  'updatedSince',
  'updatedAfter',
  'modifiedSince',
  'updated_min',
  'updated_at_min',
  'changed_since',
] as const;

/** How a later sync finds what changed. Null: it reads everything. */
export type ProposedIncremental = Readonly<Record<string, unknown>> | null;

export function sinceParameter(name: string): Exclude<ProposedIncremental, null> {
  return { by: 'since', send: { query: { [name]: '{since}' } }, overlap: '10m' };
}

/** `times`: the times of change of the items in the order of the answer, in milliseconds since 1970. */
export function isNewestFirst(times: readonly number[]): boolean {
  return (
    times.length >= 3 &&
    times.every((time, at) => at === 0 || time <= (times[at - 1] ?? 0)) &&
    new Set(times).size > 1
  );
}
