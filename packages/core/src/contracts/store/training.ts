import type { TrainedState } from '../model/embedder.js';

/** The current trained state of each embedding (`lexical/v2/512`). */
export interface TrainingCatalog {
  /** Returns the id of the current trained state. Null: none. */
  currentId(embedding: string): Promise<string | null>;
  get(embedding: string): Promise<TrainedState | null>;
  /**
   * Makes a trained state current if the current one still has the id `replaced` (null: none). Only one of several
   * concurrent calls succeeds.
   */
  replace(embedding: string, state: TrainedState, replaced: string | null): Promise<void>;
}
