/** How people are notified of failures. */
export interface AlertSettings {
  /** A URL, or a reference to it. Null: none. */
  readonly webhook: string | null;
  /** A program and its arguments. Empty: none. */
  readonly command: readonly string[];
  readonly after: number;
  readonly baseUrl: string | null;
}

/** The scalar options of an engine, with defaults filled in. */
export interface EngineSettings {
  readonly namespace: string;
  readonly version: string;
  readonly machineId: string;
  readonly allowedRoots: readonly string[];
  readonly deniedRoots: readonly string[];
  readonly storagePaths: Readonly<Record<string, string>>;
  readonly deniedFiles: readonly string[];
  readonly deniedVariables: readonly string[];
  readonly retentionMs: number;
  readonly alerts: AlertSettings;
  readonly maxFileBytes: number;
  readonly chunkChars: number;
  readonly chunkMax: number;
  readonly threads: number;
  /** The limit of scheduled jobs that this process leads at the same time. */
  readonly maxScheduledJobs: number;
  /** Null: no summaries are written. */
  readonly summaries: { readonly minChars: number; readonly maxChars: number } | null;
  readonly descriptions: { readonly maxImageBytes: number } | null;
  readonly maxTokensPerJob: number;
  readonly cacheMaxBytes: number;
  readonly artifactsMaxBytes: number;
  /** Null: uploads are not accepted. */
  readonly uploadFolder: string | null;
  readonly uploadMaxBytes: number;
  /** Null: connectors store no files. */
  readonly sourceFolder: string | null;
  readonly credentialFolder: string | null;
  readonly taskFolder: string | null;
}
