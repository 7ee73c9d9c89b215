/** Starts to watch a root, or stops if the root is null. */
export interface WatchRequest {
  readonly id: number;
  readonly root: string | null;
}

/** Changed paths, or the error that ended a watch. */
export interface WatchAnswer {
  readonly id: number;
  readonly paths?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}
