/** A source of time for intervals and pauses. */
export interface Clock {
  /** Returns milliseconds since an arbitrary start. Never goes back. */
  readonly now: () => number;
  /** Resolves after this many milliseconds. */
  readonly wait: (ms: number) => Promise<unknown>;
}
