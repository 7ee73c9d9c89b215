import type { FieldValue, ObjectKind } from '@trove/core';
import type { IndexRow } from '@trove/core/index';
import type { TrainedState } from '@trove/core/model';
import type { LineSearch, PatternRequest, TimedMatches } from '@trove/text/grep';
import type { WorkerPlugin } from '@trove/runtime';
import type { EnclosingLines, NamedDefinition, Outline } from '../chunking/index.js';
import type { ChunkerModule } from '../chunking/chunker.js';
import type { ObjectBytes } from '../classification.js';

/** The configuration of a worker thread. */
export interface WorkerSetup {
  /** An embedder that computes in the thread; null if vectors are computed elsewhere. */
  readonly embedder: WorkerPlugin<'embedder'> | null;
  /** Dimension of the vectors. */
  readonly dimension: number;
  /** Null: texts are split by their structure. */
  readonly chunker: ChunkerModule | null;
}

/** An object to decode, chunk and analyse. */
export interface PrepareRequest {
  readonly object: ObjectBytes;
  readonly objectId: string;
  readonly connectorId: string;
  readonly connectorType: string;
  /** Canonical URI of the object. */
  readonly source: string;
  readonly title: string | null;
  readonly modifiedAt: number | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly chunkChars: number;
  readonly chunkMax: number;
  /** A digest of all settings that determine the rows. Part of the content hash. */
  readonly settingsKey: string;
  /** What vectors are made with. */
  readonly trainedState: TrainedState | null;
  /** Hash of the indexed content. If the content hash is equal, nothing is prepared. */
  readonly knownHash: string | null;
}

export interface PreparedObject {
  readonly contentHash: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  readonly title: string | null;
  /** The encoding if it was guessed from letter frequencies, else null. */
  readonly guessedEncoding: string | null;
}

export type PrepareResult =
  | (PreparedObject & { readonly status: 'unchanged' | 'binary' })
  | (PreparedObject &
      AnalyseResult & {
        readonly status: 'ready';
        /** Whether the object has more than `chunkMax` chunks. */
        readonly partial: boolean;
      });

/** A row before its text is analysed. */
export type UnanalysedRow = Omit<IndexRow, 'terms' | 'pairs' | 'vector'>;

/** Rows of one object to analyse. */
export interface AnalyseRequest {
  /** Whether the object is source code. Few of its words belong to the language of its comments. */
  readonly isCode: boolean;
  /** Path of the object below the root, or its name. */
  readonly path: string;
  readonly chunks: readonly AnalyseChunk[];
  /** What vectors are made with. */
  readonly trainedState: TrainedState | null;
}

export interface AnalyseChunk {
  readonly row: UnanalysedRow;
  /** The headings above the content; '' for none. */
  readonly context: string;
  /** Names of the definitions in the chunk; '' for none. */
  readonly names: string;
  /** Names of minor definitions. */
  readonly members?: string;
}

export interface AnalyseResult {
  readonly rows: readonly IndexRow[];
  /** The text to embed for each row; null if the thread has embedded them. */
  readonly texts: readonly string[] | null;
}

/** An object to sample chunks from. */
export interface SampleRequest extends Pick<
  PrepareRequest,
  'object' | 'title' | 'chunkChars' | 'chunkMax'
> {
  /** Maximum number of chunks to return. */
  readonly maxSamples: number;
}

export interface TrainRequest {
  readonly texts: readonly string[];
}

export type MatchRequest = PatternRequest & LineSearch;

export interface MeasureRequest {
  readonly object: ObjectBytes;
  readonly chunkChars: number;
  readonly chunkMax: number;
}

export interface MeasureResult {
  readonly chunks: number;
  /** Characters in all chunks. */
  readonly chars: number;
}

export interface OutlineRequest {
  readonly object: ObjectBytes;
  readonly density: 'peek' | 'skim';
}

export interface OutlineResult {
  /** Null for a text without an outline. */
  readonly outline: Outline | null;
}

export interface EnclosingRequest {
  readonly object: ObjectBytes;
  /** Numbered from 1. */
  readonly line: number;
}

export interface NamedRequest {
  readonly object: ObjectBytes;
  readonly name: string;
}

export interface NamedResult {
  readonly definitions: readonly NamedDefinition[];
}

/** Compressions that Node.js does not support. */
export type Compression = 'zstd' | 'bzip2' | 'xz';

/** Bytes to decompress. */
export interface DecompressRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compression: Compression;
  /** Maximum number of decompressed bytes. */
  readonly maxBytes: number;
}

export interface ComputeRequests {
  /** The rows of a large object are sent in parts, the last with the result. */
  readonly prepare: {
    readonly request: PrepareRequest;
    readonly part: AnalyseResult;
    readonly result: PrepareResult;
  };
  readonly analyse: { readonly request: AnalyseRequest; readonly result: AnalyseResult };
  readonly sample: { readonly request: SampleRequest; readonly result: string[] };
  readonly train: { readonly request: TrainRequest; readonly result: Uint8Array<ArrayBuffer> };
  readonly measure: { readonly request: MeasureRequest; readonly result: MeasureResult };
  readonly match: { readonly request: MatchRequest; readonly result: TimedMatches };
  readonly decompress: {
    readonly request: DecompressRequest;
    readonly result: Uint8Array<ArrayBuffer>;
  };
  readonly outline: { readonly request: OutlineRequest; readonly result: OutlineResult };
  readonly named: { readonly request: NamedRequest; readonly result: NamedResult };
  /** The result is null for a binary object. */
  readonly enclosing: {
    readonly request: EnclosingRequest;
    readonly result: EnclosingLines | null;
  };
}

export type ComputeRequestName = keyof ComputeRequests;
