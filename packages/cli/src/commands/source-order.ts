import type { ConnectorRow } from '@trove/client';

/** Returns failing sources first, the longest failing one at the top. */
export function failingFirst(rows: readonly ConnectorRow[]): ConnectorRow[] {
  return rows.toSorted((one, two) => compareTimes(failureOf(one), failureOf(two)));
}

/** The start of a failure, the empty text if it is unknown, and null without a failure. */
function failureOf({ error, failing_since: since }: ConnectorRow): string | null {
  return since ?? (error === null ? null : '');
}

function compareTimes(one: string | null, two: string | null): number {
  if (one === two) return 0;
  if (one === null || two === null) return one === null ? 1 : -1;
  return one < two ? -1 : 1;
}
