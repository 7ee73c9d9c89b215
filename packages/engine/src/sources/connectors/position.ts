/** Where a source stands after a job: its connector's cursor, and what else that keeps. */
export interface Position {
  readonly cursor?: unknown;
  readonly kept?: unknown;
}

/** What the store has as the state of a connector. */
export function positionOf(state: unknown): Position {
  return typeof state === 'object' && state !== null ? state : {};
}

/** What the store is to have after a job that set these; undefined: what it has. */
export function after(before: unknown, { cursor, kept }: Position): Position | undefined {
  if (cursor === undefined && kept === undefined) return undefined;
  const stood = positionOf(before);
  return {
    ...stood,
    ...(cursor === undefined ? {} : { cursor }),
    ...(kept === undefined ? {} : { kept }),
  };
}
