import type { ObjectKind } from '@trove/core';
import { createToken } from '@trove/core/di';

/** A text to be cut into chunks. */
export interface ChunkerInput {
  readonly text: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Path of the object below the root of its source. */
  readonly path: string;
  /** Maximum length of a piece, in UTF-16 units. */
  readonly maxChars: number;
}

/** A piece of a text, which becomes a chunk. Blank ones are left out. */
export interface ChunkRange {
  /** Offsets in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * What the piece is part of, such as the headings above it: indexed and embedded with it, but not shown. At most
   * `maxChars` long.
   */
  readonly context?: string;
}

/** Cuts texts into chunks, in worker threads. */
export interface Chunker {
  /**
   * The pieces of a text, by their starts; they may overlap. What is in none of them is not found. Null: the engine is to
   * cut it as usual.
   */
  cut(text: ChunkerInput): Iterable<ChunkRange> | null;
}

/** Where threads find a chunker. */
export interface ChunkerModule {
  /** URL or absolute path of a module; its default export is a `Chunker`. */
  readonly module: string;
  /** To be changed whenever the same text is cut differently: each object is then indexed again at its next sync. */
  readonly version: string;
}

/** Default: null, texts are cut by their structure. */
export const ChunkerToken = createToken<ChunkerModule | null>('engine.chunker');
