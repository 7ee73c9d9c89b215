import type { ObjectKind } from '@trove/core';
import type { GuardedConnector } from '../connectors/guarded-connector.js';
import type { Unpacking } from './compressed.js';
import type { Conversions } from './converted.js';
import type { ReadBudget, Use } from './read-budget.js';

/** An object to read, as its source lists it or as it was stored. */
export interface ReadableObject {
  readonly path: string;
  readonly size: number | null;
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  readonly keyFields?: readonly string[];
}

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
