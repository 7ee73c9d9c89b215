import type { ConversionService } from '@trove/runtime';
import type { ComputePool } from './compute/compute-pool.js';
import type { ReadableObject } from './readable-object.js';
import type { GuardedConnector } from '../sources/connectors/guarded-connector.js';
import type { ReadBudget, ReadPurpose } from './read-budget.js';

/** A request to read one object. */
export interface ContentRequest {
  readonly connector: GuardedConnector;
  readonly object: ReadableObject;
  readonly budget: ReadBudget;
  /** Null: documents are not converted. */
  readonly conversions: DocumentConversions | null;
  /** The encoding set by an object rule; null: detected from the bytes. */
  readonly encoding: string | null;
  /** Null: compressed objects are not decompressed. */
  readonly decompression: Decompression | null;
  readonly purpose: ReadPurpose;
  readonly signal: AbortSignal;
}

/** A text in pieces of arbitrary length. */
export type TextPieces = AsyncIterable<string>;

/** The part of the conversion service that reading needs. */
export type DocumentConversions = Pick<
  ConversionService,
  'findConverterKey' | 'hasNoConverters' | 'maxBytes' | 'convert'
>;

/** The threads that decompress, and the maximum size of a decompressed object in memory. */
export interface Decompression {
  readonly pool: ComputePool;
  readonly maxBytes: number;
}
