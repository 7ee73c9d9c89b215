/** Limits that tests change. */
export interface IndexLimits {
  /** The vectors get a graph from this number of rows. */
  readonly minGraphRows?: number;
  /** Blocks writers during the build, because PGlite cannot build concurrently. */
  readonly blocksWrites?: boolean;
}
