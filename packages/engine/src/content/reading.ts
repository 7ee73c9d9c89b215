import type { ConversionService } from '@trove/runtime';
import type { ComputePool } from './compute/compute-pool.js';
import type { ReadableObject } from './readable-object.js';
import type { GuardedConnector } from '../sources/connectors/guarded-connector.js';
import type { ReadBudget, Use } from './read-budget.js';

/** One reader of one object. */
export interface Reading {
  readonly connector: GuardedConnector;
  readonly object: ReadableObject;
  readonly budget: ReadBudget;
  /** Null: bytes stay those of the source. */
  readonly conversions: Conversions | null;
  /** What a rule of the source says; null: the bytes tell. */
  readonly encoding: string | null;
  /** Null: compressed bytes stay those of the source. */
  readonly unpacking: Unpacking | null;
  readonly use: Use;
  readonly signal: AbortSignal;
}

/** A text in pieces of arbitrary length. */
export type TextPieces = AsyncIterable<string>;

/** What converts. */
export type Conversions = Pick<
  ConversionService,
  'converted' | 'convertsNothing' | 'maxBytes' | 'convert'
>;

/** Threads that unpack, and how many bytes a whole object may become. */
export interface Unpacking {
  readonly pool: ComputePool;
  readonly maxBytes: number;
}
