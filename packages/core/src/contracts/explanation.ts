export interface ExplainOptions {
  /** The cursor of the last sync, as in `changes`. Undefined: explain a full sync. */
  readonly cursor: unknown;
  readonly signal: AbortSignal;
}

/** The requests of a sync, without their logins. */
export interface SyncExplanation {
  /** Whether the sync requests only what has changed since the cursor. */
  readonly incremental: boolean;
  /** In the order in which they are made. */
  readonly requests: readonly ExplainedRequest[];
}

/** A kind of request that a sync makes. */
export interface ExplainedRequest {
  /** What it requests: `check`, `issues`. */
  readonly name: string;
  /** The request in the terms of the source: `GET https://…`. Braces mark values that only an answer has: `{id}`. */
  readonly request: string;
  readonly body?: string;
  /** How often it is made, if not once: `for each of projects`. */
  readonly repeats?: string;
  /** Further pages are requested until the last one. */
  readonly paged?: boolean;
}
