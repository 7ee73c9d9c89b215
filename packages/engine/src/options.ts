import type { Logger } from '@trove/core';
import type { BackendOptions, IndexOptions, RegistryOptions } from '@trove/runtime';
import type { Override } from './di/override.js';
import type { RerankOptions } from './query/search/second-stage.js';

export interface EngineOptions extends RegistryOptions {
  /** Default `default`. Engines of different namespaces share only their databases. */
  readonly namespace?: string;
  readonly metadata: BackendOptions;
  /** Null or omitted: computed embeddings are not cached. */
  readonly transformationCache?: (BackendOptions & { readonly maxBytes?: number }) | null;
  /** A folder for documents converted to Markdown. Null or omitted: documents are converted on every read. */
  readonly artifactCache?: { readonly path: string; readonly maxBytes?: number } | null;
  /**
   * Media types that need a converter. Without one, the engine does not open. Documents of other types without a
   * converter are read unconverted.
   */
  readonly requiredConverters?: readonly string[];
  readonly index: IndexOptions;
  readonly embedding?: {
    /** Default `lexical`. */
    readonly provider?: string;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Texts per call, default 128. */
    readonly batchSize?: number;
    /** Maximum number of concurrent calls, default 2. */
    readonly concurrency?: number;
  };
  /** The language model for summaries, descriptions and graphs. Opened on first use. */
  readonly llm?: {
    /** `rules` needs no provider and writes neither summaries nor descriptions. */
    readonly provider: string;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Maximum number of concurrent calls, default 4. */
    readonly concurrency?: number;
    /** Time limit of a call, default 60,000. */
    readonly timeoutMs?: number;
    /** Maximum input and output tokens of a job, default 1,000,000. */
    readonly maxTokensPerJob?: number;
  };
  /** A model that reorders the best hits of a search. Null or omitted: none. */
  readonly rerank?: RerankOptions | null;
  /** Summaries of texts, table schemas and folders; default: none. */
  readonly summary?: {
    readonly enabled: boolean;
    /** Shorter texts get no summary. Default 2,000. */
    readonly minChars?: number;
    /** Characters at the beginning of a text that the model reads, default 12,000. */
    readonly maxChars?: number;
  };
  /** Descriptions of images; default: none. */
  readonly description?: {
    readonly enabled: boolean;
    /** Larger images get no description. Default 5 MiB. */
    readonly maxImageBytes?: number;
  };
  readonly worker?: {
    /**
     * Threads for reading and chunking. `auto`: one fewer than processors, but two on two processors and at most
     * eight.
     */
    readonly concurrency?: number | 'auto';
    /**
     * Maximum number of scheduled syncs that this process runs at the same time, default 8. Those that wait at the request of
     * their source do not count.
     */
    readonly maxScheduledJobs?: number;
  };
  /** The receivers of alerts about failing sources and full disks. Default: none. */
  readonly alerts?: {
    /** The URL that gets each alert as JSON, or a reference to it (`env:NAME`, `file:/path`). */
    readonly webhook?: string;
    /** A program and its arguments. It gets each alert as JSON on its standard input. */
    readonly command?: readonly string[];
    /** The number of failed syncs in a row, or of missed times of a schedule, default 3. */
    readonly after?: number;
    /** The address of the server, for links in alerts. */
    readonly baseUrl?: string;
  };
  readonly ingest?: {
    /** Larger objects are listed but not indexed. Default 64 MiB. */
    readonly maxFileBytes?: number;
    /** Default 2,048. */
    readonly chunkChars?: number;
    /** Maximum number of chunks per object, default 100,000. */
    readonly chunkMax?: number;
  };
  /** Null or omitted: uploads are rejected. */
  readonly uploads?: {
    /**
     * Absolute path of the folder for uploads. It may serve several databases. The engine has no other copy of the
     * files.
     */
    readonly folder: string;
    /** Maximum size of an upload, both as sent and unpacked. Default 2 GiB. */
    readonly maxBytes?: number;
  } | null;
  /** Absolute path of a folder for data that connectors can fetch again. Null or omitted: connectors store nothing. */
  readonly sourceFolder?: string | null;
  /**
   * Absolute path of the folder for tokens that services issue in place of configured ones. Only its owner can read
   * it. Null or omitted: such tokens are lost when the engine closes.
   */
  readonly credentialFolder?: string | null;
  /**
   * Absolute path of a folder for data of unfinished syncs, up to 4 GiB. Only its owner can read it. Null or omitted: a
   * sync requests conversations that do not fit into 8 MiB of memory one by one.
   */
  readonly taskFolder?: string | null;
  readonly jobs?: {
    /** Days to keep finished jobs, default 30. */
    readonly retentionDays?: number;
  };
  /** Folders that sources may lie in. Omitted or empty: any folder. */
  readonly allowedRoots?: readonly string[];
  /** Absolute paths that are never part of a source, such as the folders of the application itself. */
  readonly deniedRoots?: readonly string[];
  /**
   * Absolute paths on this machine that the engine writes to, by name (`home`, `index`). `ready`, `status` and jobs
   * warn when their disks are nearly full. Default: none.
   */
  readonly storagePaths?: Readonly<Record<string, string>>;
  /**
   * Files, by absolute path, and environment variables that contain secrets of the application. Configurations of
   * sources cannot refer to them or to files in `deniedRoots`.
   */
  readonly deniedSecrets?: {
    readonly files: readonly string[];
    readonly variables: readonly string[];
  };
  /** Default: no logging. Equivalent to an override of `LoggerToken`. */
  readonly logger?: Logger;
  /** Replacements for services of the engine; see `@trove/engine/di`. */
  readonly override?: readonly Override[];
  /** The application's version, reported by `serverInfo`. */
  readonly version?: string;
  /**
   * A name that is constant on this machine and unique among the machines that share a database. It lets this machine
   * release the leases of its dead processes. Default: derived from the host name.
   */
  readonly machineId?: string;
}
