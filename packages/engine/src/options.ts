import type { Logger } from '@trove/core';
import type { BackendOptions, IndexOptions, RegistryOptions } from '@trove/runtime';
import type { Override } from './di/override.js';
import type { RerankOptions } from './query/search/second-stage.js';

export interface EngineOptions extends RegistryOptions {
  /** Default `default`. Engines of different namespaces share nothing but their databases. */
  readonly namespace?: string;
  readonly metadata: BackendOptions;
  /** Null or omitted: computed embeddings are not cached. */
  readonly transformationCache?: (BackendOptions & { readonly maxBytes?: number }) | null;
  /** A folder for documents converted to Markdown. Null or omitted: they are converted each time they are read. */
  readonly artifactCache?: { readonly path: string; readonly maxBytes?: number } | null;
  /**
   * Media types that must have a converter, or the engine does not open. Documents of other types without a converter
   * are read unconverted.
   */
  readonly requiredConverters?: readonly string[];
  readonly index: IndexOptions;
  readonly embedding?: {
    /** Default `lexical`. */
    readonly provider?: string;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Texts per call, default 128. */
    readonly batchSize?: number;
    /** Concurrent calls, default 2. */
    readonly concurrency?: number;
  };
  /** The language model that writes summaries and descriptions, and that graphs use; opened when it is needed. */
  readonly llm?: {
    /** `rules` needs no provider, and writes neither summaries nor descriptions. */
    readonly provider: string;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Concurrent calls, default 4. */
    readonly concurrency?: number;
    /** How long a call may take, default 60,000. */
    readonly timeoutMs?: number;
    /** What a job may spend, read and written together; default 1,000,000. */
    readonly maxTokensPerJob?: number;
  };
  /** A model that puts the best hits of a search in order once more; null or omitted: none. */
  readonly rerank?: RerankOptions | null;
  /** Summaries of texts, table schemas and folders; default: none. */
  readonly summary?: {
    readonly enabled: boolean;
    /** Shorter texts have none. Default 2,000. */
    readonly minChars?: number;
    /** How much of the beginning of a text the model reads, default 12,000. */
    readonly maxChars?: number;
  };
  /** Descriptions of images; default: none. */
  readonly description?: {
    readonly enabled: boolean;
    /** Larger images have none. Default 5 MiB. */
    readonly maxImageBytes?: number;
  };
  readonly worker?: {
    /** Threads that read and chunk; `auto`: one fewer than there are processors, two of two, at most eight. */
    readonly concurrency?: number | 'auto';
  };
  readonly ingest?: {
    /** Larger objects are listed, not indexed. Default 64 MiB. */
    readonly maxFileBytes?: number;
    /** Default 2,048. */
    readonly chunkChars?: number;
    /** Maximum number of chunks per object, default 100,000. */
    readonly chunkMax?: number;
  };
  /** Null or omitted: no files are accepted from clients. */
  readonly uploads?: {
    /** Absolute path of the folder in which they are kept, for one or more databases; they are the only copy that the engine has. */
    readonly folder: string;
    /** Of one upload, as sent and unpacked; default 2 GiB. */
    readonly maxBytes?: number;
  } | null;
  /** Absolute path of a folder for data that connectors can fetch again; null or omitted: they keep nothing. */
  readonly sourceFolder?: string | null;
  /**
   * Absolute path of the folder for tokens that services gave out in the place of those in configurations, readable by their
   * owner only. Null or omitted: they are lost when the engine closes.
   */
  readonly credentialFolder?: string | null;
  readonly jobs?: {
    /** How long finished jobs are kept, default 30. */
    readonly retentionDays?: number;
  };
  /** Folders that sources may be in; omitted or empty: any. */
  readonly allowedRoots?: readonly string[];
  /** Absolute paths that are never part of a source: where the application keeps its own files. */
  readonly deniedRoots?: readonly string[];
  /**
   * Absolute paths that the engine writes to on this machine, by name (`home`, `index`). `ready`, `status` and jobs warn
   * when little space is left on their disks. Default: none.
   */
  readonly storagePaths?: Readonly<Record<string, string>>;
  /**
   * Absolute paths of files, and names of environment variables, that hold secrets of the application: no reference in the
   * configuration of a source leads to them, nor into `deniedRoots`.
   */
  readonly withheldSecrets?: {
    readonly files: readonly string[];
    readonly variables: readonly string[];
  };
  /** Default: no logging. Same as an override of `LoggerToken`. */
  readonly logger?: Logger;
  /** What takes the place of the engine's own services; see `@trove/engine/di`. */
  readonly override?: readonly Override[];
  /** The application's version, reported by `serverInfo`. */
  readonly version?: string;
  /**
   * Constant on this machine, and different on each machine that shares a database: lets this machine release what its
   * dead processes held. Default: derived from the host name.
   */
  readonly machineId?: string;
}
