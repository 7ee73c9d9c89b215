import type { FieldValue, ObjectKind } from '@trove/core';
import type { IndexRow } from '@trove/core/index';
import type { TrainedState } from '@trove/core/model';
import type { LineSearch, PatternRequest, TimedMatches } from '@trove/text/grep';
import type { WorkerPlugin } from '@trove/runtime';
import type { ChunkerModule } from '../chunking/chunker.js';
import type { ObjectBytes } from '../classification.js';

/** What a worker thread starts with. */
export interface WorkerSetup {
  /** An embedder that computes in the thread; null when vectors are made elsewhere. */
  readonly embedder: WorkerPlugin<'embedder'> | null;
  /** Of the vectors. */
  readonly dimension: number;
  /** Null: texts are cut by their structure. */
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
  /** A digest of everything else that determines the rows; part of the content hash. */
  readonly settingsKey: string;
  /** What vectors are made with. */
  readonly trainedState: TrainedState | null;
  /** Content hash of what is already indexed; if equal, nothing is prepared. */
  readonly knownHash: string | null;
}

export interface PreparedObject {
  readonly contentHash: string;
  readonly kind: ObjectKind;
  readonly mediaType: string | null;
  readonly title: string | null;
  /** The encoding if only letter frequencies tell it, else null. */
  readonly guessedEncoding: string | null;
}

export type PrepareResult =
  | (PreparedObject & { readonly status: 'unchanged' | 'binary' })
  | (PreparedObject &
      AnalyseResult & {
        readonly status: 'ready';
        /** The object has more than `chunkMax` chunks. */
        readonly partial: boolean;
      });

/** A row whose text has not been analysed yet. */
export type UnanalysedRow = Omit<IndexRow, 'terms' | 'pairs' | 'vector'>;

/** Some rows of one object. */
export interface AnalyseRequest {
  /** Whether it is a program: hardly any of its words are of the language of its comments. */
  readonly isCode: boolean;
  /** Path of the object below the root, or its name. */
  readonly path: string;
  readonly chunks: readonly AnalyseChunk[];
  /** What vectors are made with. */
  readonly trainedState: TrainedState | null;
}

export interface AnalyseChunk {
  readonly row: UnanalysedRow;
  /** The headings above the content, '' for none. */
  readonly context: string;
  /** Of what is defined in it, '' for none. */
  readonly names: string;
  /** The same of smaller things. */
  readonly members?: string;
}

export interface AnalyseResult {
  readonly rows: readonly IndexRow[];
  /** The text to embed for each row; null when the thread has embedded them itself. */
  readonly texts: readonly string[] | null;
}

/** An object of which to see some chunks. */
export interface SampleRequest extends Pick<
  PrepareRequest,
  'object' | 'title' | 'chunkChars' | 'chunkMax'
> {
  /** Number of chunks. */
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
  /** Of all chunks. */
  readonly chars: number;
}

export interface OutlineRequest {
  readonly object: ObjectBytes;
  readonly density: 'peek' | 'skim';
}

export interface OutlineResult {
  /** Null: the text has none. */
  readonly outline: string | null;
}

/** What Node does not unpack itself. */
export type Compression = 'zstd' | 'bzip2' | 'xz';

/** Bytes to unpack. */
export interface DecompressRequest {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly compression: Compression;
  /** Plain bytes at most. */
  readonly maxBytes: number;
}

export interface ComputeRequests {
  /** The rows of a large object come in parts, the last with the result. */
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
}

export type ComputeRequestName = keyof ComputeRequests;
