import type { ConversionService } from '@trove/runtime';
import type { ComputePool } from './compute/compute-pool.js';
import type { ReadableObject } from './readable-object.js';
import type { GuardedConnector } from '../sources/connectors/guarded-connector.js';
import type { ReadBudget, ReadPurpose } from './read-budget.js';

/** One reader of one object. */
export interface ContentRequest {
  readonly connector: GuardedConnector;
  readonly object: ReadableObject;
  readonly budget: ReadBudget;
  /** Null: bytes stay those of the source. */
  readonly conversions: DocumentConversions | null;
  /** What a rule of the source says; null: the bytes tell. */
  readonly encoding: string | null;
  /** Null: compressed bytes stay those of the source. */
  readonly decompression: Decompression | null;
  readonly purpose: ReadPurpose;
  readonly signal: AbortSignal;
}

/** A text in pieces of arbitrary length. */
export type TextPieces = AsyncIterable<string>;

/** What converts. */
export type DocumentConversions = Pick<
  ConversionService,
  'findConverterKey' | 'hasNoConverters' | 'maxBytes' | 'convert'
>;

/** Threads that unpack, and how many bytes a whole object may become. */
export interface Decompression {
  readonly pool: ComputePool;
  readonly maxBytes: number;
}
