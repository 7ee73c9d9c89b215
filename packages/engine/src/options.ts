import type { Logger, Plugin, PluginKind } from '@trove/core';

/** Where to find a plugin that is not given as an instance: `connector:file` → package name. */
export type PluginPackages = Readonly<Partial<Record<`${PluginKind}:${string}`, string>>>;

/** Settings of plugins of any author, by key: `connector:slack` → `{ token: 'env:SLACK_TOKEN' }`. */
export type PluginConfig = Readonly<
  Partial<Record<`${PluginKind}:${string}`, Readonly<Record<string, unknown>>>>
>;

export interface BackendOptions {
  /** Backend name: the plugin's key. */
  readonly backend: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface EngineOptions {
  /** Default `default`. Engines of different namespaces share nothing but their databases. */
  readonly namespace?: string;
  /** Plugin instances; they take precedence over packages. */
  readonly plugins?: readonly Plugin[];
  /** Packages by key, as configured by the operator. */
  readonly pluginPackages?: PluginPackages;
  /** Packages by key that ship with the application. */
  readonly builtinPackages?: PluginPackages;
  /**
   * The configuration of every use of a plugin, validated by the plugin's own schema on use. Values that a source or an
   * option sets itself take precedence.
   */
  readonly pluginConfig?: PluginConfig;
  /** URLs or absolute paths of modules from which packages are resolved, in order; default: the working directory. */
  readonly appRoots?: readonly string[];
  /** Where the packages of `builtinPackages` are resolved from; default: `appRoots`. */
  readonly builtinRoot?: string;
  readonly metadata: BackendOptions;
  /** Null or omitted: computed embeddings are not cached. */
  readonly transformationCache?: (BackendOptions & { readonly maxBytes?: number }) | null;
  readonly index: {
    /** An absolute folder, or a URI of an installed index plugin's scheme. */
    readonly uri: string;
    readonly config?: Readonly<Record<string, unknown>>;
  };
  readonly embedding?: {
    /** Default `lexical`. */
    readonly provider?: string;
    readonly config?: Readonly<Record<string, unknown>>;
    /** Texts per call, default 128. */
    readonly batchSize?: number;
    /** Concurrent calls, default 2. */
    readonly concurrency?: number;
  };
  readonly worker?: {
    /** Threads that read and chunk; `auto`: one fewer than there are processors, at least one. */
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
  readonly jobs?: {
    /** How long finished jobs are kept, default 30. */
    readonly retentionDays?: number;
  };
  /** Folders that sources may be in; omitted or empty: any. */
  readonly allowedRoots?: readonly string[];
  /** Absolute paths that are never part of a source: where the application keeps its own files. */
  readonly withheld?: readonly string[];
  readonly logger?: Logger;
  /** The application's version, reported by `serverInfo`. */
  readonly version?: string;
  /**
   * Constant on this machine, and different on each machine that shares a database: lets this machine release what its
   * dead processes held. Default: derived from the host name.
   */
  readonly machineId?: string;
}
