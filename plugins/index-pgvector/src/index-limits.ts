/** How an index differs from the usual, in tests. */
export interface IndexLimits {
  /** From how many rows on the vectors get a graph. */
  readonly minGraphRows?: number;
  /** Builds the graph while writers wait, which is all that PGlite can do. */
  readonly blocksWrites?: boolean;
}
