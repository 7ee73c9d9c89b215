import type { ObjectKind } from '@trove/core';
import { createToken } from '@trove/core/di';

/** A text to split into chunks. */
export interface ChunkerInput {
  readonly text: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  /** Path of the object below the root of its source. */
  readonly path: string;
  /** Maximum length of a range, in UTF-16 units. */
  readonly maxChars: number;
}

/** A range of a text that becomes a chunk. Blank ranges are left out. */
export interface ChunkRange {
  /** Offsets in UTF-16 units. `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  /**
   * The surroundings of the range, such as the headings above it. Indexed and embedded with the chunk, but not shown.
   * At most `maxChars` long.
   */
  readonly context?: string;
}

/** Splits texts into chunks. Runs in worker threads. */
export interface Chunker {
  /**
   * Returns the ranges of a text in order of their starts. Ranges may overlap. Text outside all ranges is not
   * indexed. Null: the engine splits the text as usual.
   */
  split(text: ChunkerInput): Iterable<ChunkRange> | null;
}

/** The module from which worker threads load a chunker. */
export interface ChunkerModule {
  /** URL or absolute path of a module. Its default export is a `Chunker`. */
  readonly module: string;
  /**
   * Change it when the chunker splits the same text differently. The next sync of each source then indexes all its
   * objects again.
   */
  readonly version: string;
}

/** Default: null. Texts are split by their structure. */
export const ChunkerToken = createToken<ChunkerModule | null>('engine.chunker');
