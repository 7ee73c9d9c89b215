/** The stored state of a source: the cursor and other state of its connector. */
export interface StoredState {
  readonly cursor?: unknown;
  readonly kept?: unknown;
}

/** Returns the stored state of a connector. */
export function storedStateOf(state: unknown): StoredState {
  return typeof state === 'object' && state !== null ? state : {};
}

/** Merges the values that a job has set into the stored state. Undefined if it has set none. */
export function mergeState(
  before: unknown,
  { cursor, kept }: StoredState,
): StoredState | undefined {
  if (cursor === undefined && kept === undefined) return undefined;
  const previous = storedStateOf(before);
  return {
    ...previous,
    ...(cursor === undefined ? {} : { cursor }),
    ...(kept === undefined ? {} : { kept }),
  };
}
