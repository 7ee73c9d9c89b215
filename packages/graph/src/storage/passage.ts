import type { GraphPassage, TripletOrigin } from '../retrieval/types.js';

/** A stored passage. All other data of a graph follows from its passages. */
export interface StoredPassage extends GraphPassage {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly origin: TripletOrigin;
}
