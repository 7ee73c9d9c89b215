import type { TrainedState } from '../model/embedder.js';

/** What embedders have learned from what was indexed first: one fit for each embedding (`lexical/v2/512`). */
export interface TrainingCatalog {
  /** Which one is current; null: nothing was learned. */
  currentId(embedding: string): Promise<string | null>;
  get(embedding: string): Promise<TrainedState | null>;
  /** Makes a fit current if the one with the id `replaced` still is (null: if none is); of several at once, one does. */
  replace(embedding: string, fit: TrainedState, replaced: string | null): Promise<void>;
}
