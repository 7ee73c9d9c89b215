import type { ObjectCatalog } from './objects.js';
import type { ConnectorRegistry } from './registry.js';
import type { SummaryCatalog } from './summaries.js';

/** The vectors of a generation. */
export interface GenerationSpec {
  /** The embedding (`lexical/v2/512`). Vectors of different embeddings are never compared. */
  readonly embedding: string;
  readonly dimension: number;
}

/**
 * The data of all sources for one embedding. A store is opened for one generation and reads and writes its objects,
 * records, summaries, jobs and cursors. All generations share the registered sources.
 */
export interface GenerationRecord extends GenerationSpec {
  /** From 1, in order of creation. Numbers are never reused. */
  readonly number: number;
  /** The time since a process last marked the generation as used. */
  readonly unusedMs: number;
  /** The objects and jobs are deleted. The caller deletes the remaining data, such as rows, and then calls `delete`. */
  readonly isDropped: boolean;
}

/** Read access to a generation. */
export interface GenerationReader {
  readonly sources: Pick<ConnectorRegistry, 'list' | 'listMoved' | 'stats'>;
  readonly objects: Pick<ObjectCatalog, 'findByPath' | 'list' | 'holders' | 'stats'>;
  readonly summaries: Pick<SummaryCatalog, 'findByPath'>;
}

/** The generations of a namespace. Each process regularly marks the generation of its store as used. */
export interface GenerationCatalog {
  /**
   * Marks the store's generation as used. Adds sources that only other generations have, without objects. Returns null
   * if the generation was dropped: reopening the store creates another one.
   */
  markUsed(): Promise<GenerationRecord | null>;
  /** Returns all other generations including dropped ones, most recently used first. */
  listOthers(): Promise<GenerationRecord[]>;
  /** Returns a reader for a generation. The reader of a dropped or unknown generation finds nothing. */
  reader(number: number): Promise<GenerationReader>;
  /**
   * Drops another generation. Returns false if it was used within the last `unusedMs`, or if the store's own generation
   * was dropped. Its jobs move to the store's generation, live ones as `cancelled`.
   */
  drop(number: number, unusedMs: number): Promise<boolean>;
  /** Deletes the record of a dropped generation. */
  delete(number: number): Promise<void>;
}
