import type { ObjectCatalog } from './objects.js';
import type { ConnectorRegistry } from './registry.js';
import type { SummaryCatalog } from './summaries.js';

/** What the vectors of an edition are. */
export interface GenerationSpec {
  /** What makes them (`lexical/v2/512`); vectors of different names are never compared. */
  readonly embedding: string;
  readonly dimension: number;
}

/**
 * All sources as they are known and indexed with one embedding. A store is opened for one edition: its objects, records,
 * summaries, jobs and cursors are those of that edition; what is registered is the same in all.
 */
export interface GenerationRecord extends GenerationSpec {
  /** From 1, in the order in which they were begun; none is ever used again. */
  readonly number: number;
  /** How long ago a process said that it uses it. */
  readonly unusedMs: number;
  /** Nothing is known of it any more; whatever else belonged to it is to be removed, and then it is to be forgotten. */
  readonly isDropped: boolean;
}

/** What callers ask of an edition. */
export interface GenerationReader {
  readonly sources: Pick<ConnectorRegistry, 'list' | 'stats'>;
  readonly objects: Pick<ObjectCatalog, 'findByPath' | 'list'>;
  readonly summaries: Pick<SummaryCatalog, 'findByPath'>;
}

/** The generations of a namespace. Whoever works with a store says now and then that its edition is in use. */
export interface GenerationCatalog {
  /**
   * Says that the store's own edition is in use, and gives it the sources that only others have, with nothing known of them.
   * Null once it was dropped: a store that is opened anew begins another.
   */
  markUsed(): Promise<GenerationRecord | null>;
  /** All others, those dropped included, the one used last first. */
  listOthers(): Promise<GenerationRecord[]>;
  /** Of a dropped or unknown one, nothing is known. */
  reader(number: number): Promise<GenerationReader>;
  /**
   * Drops another edition, unless somebody used it less than so long ago, or the own one was dropped: false then. Its jobs
   * become those of the store's own edition, live ones as `cancelled`.
   */
  drop(number: number, unusedMs: number): Promise<boolean>;
  /** Of a dropped one. */
  delete(number: number): Promise<void>;
}
