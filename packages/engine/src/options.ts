import type { Logger, Plugin, PluginKind } from '@trove/core';

/** Where a plugin that is not given as an instance is found: `connector:file` → package name. */
export type PluginPackages = Readonly<Partial<Record<`${PluginKind}:${string}`, string>>>;

/** Settings of plugins, whoever wrote them, by key: `connector:slack` → `{ token: 'env:SLACK_TOKEN' }`. */
export type PluginConfig = Readonly<
  Partial<Record<`${PluginKind}:${string}`, Readonly<Record<string, unknown>>>>
>;

export interface BackendOptions {
  /** Backend name, the plugin's key. */
  readonly backend: string;
  readonly config?: Readonly<Record<string, unknown>>;
}

export interface EngineOptions {
  /** Default `default`. Engines of different namespaces share nothing but the databases they are in. */
  readonly namespace?: string;
  /** Plugins by hand; they come before packages. */
  readonly plugins?: readonly Plugin[];
  /** Packages by key, as the operator names them. */
  readonly pluginPackages?: PluginPackages;
  /** Packages by key that come with the application. */
  readonly builtinPackages?: PluginPackages;
  /**
   * What every use of a plugin is configured with, checked by the plugin's own schema when it is used. What a source or
   * an option of its own says of the same key comes before it.
   */
  readonly pluginConfig?: PluginConfig;
  /**
   * URLs or absolute paths of modules from which packages are resolved, one after the other; default: the working
   * directory.
   */
  readonly appRoots?: readonly string[];
  /** From where the packages of `builtinPackages` are resolved; default: `appRoots`. */
  readonly builtinRoot?: string;
  readonly metadata: BackendOptions;
  /** Null or left out: computed embeddings are not remembered. */
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
    /** Texts in one call, default 128. */
    readonly batchSize?: number;
    /** Calls at a time, default 2. */
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
    /** Chunks of one object at most, default 100,000. */
    readonly chunkMax?: number;
  };
  readonly jobs?: {
    /** Finished jobs are kept this long, default 30. */
    readonly retentionDays?: number;
  };
  /** Folders that may be added; left out or empty: any. */
  readonly allowedRoots?: readonly string[];
  /** Absolute paths that are never part of a source: where the application keeps its own files. */
  readonly withheld?: readonly string[];
  readonly logger?: Logger;
  /** The application's version, as `serverInfo` reports it. */
  readonly version?: string;
  /**
   * Stays the same on this machine and differs between machines that share a database: what dead processes of this
   * machine held is taken back by it. Default: made of the host name.
   */
  readonly machineId?: string;
}
