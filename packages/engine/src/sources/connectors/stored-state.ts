/** Where a source stands after a job: its connector's cursor, and what else that keeps. */
export interface StoredState {
  readonly cursor?: unknown;
  readonly kept?: unknown;
}

/** What the store has as the state of a connector. */
export function storedStateOf(state: unknown): StoredState {
  return typeof state === 'object' && state !== null ? state : {};
}

/** What the store is to have after a job that set these; undefined: what it has. */
export function mergeState(
  before: unknown,
  { cursor, kept }: StoredState,
): StoredState | undefined {
  if (cursor === undefined && kept === undefined) return undefined;
  const stood = storedStateOf(before);
  return {
    ...stood,
    ...(cursor === undefined ? {} : { cursor }),
    ...(kept === undefined ? {} : { kept }),
  };
}
