import type { GraphPassage, TripletOrigin } from '../retrieval/types.js';

/** A passage of a graph, as it is stored and shown: the truth that everything else in a graph follows from. */
export interface StoredPassage extends GraphPassage {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly origin: TripletOrigin;
}
