// Generated from the OpenAPI document by "npm run generate -w @trove/client". Do not edit.

export interface AddRequest {
  /** Path or connector URI to register and index. */
  readonly target: string;
  /**
   * Connector configuration. String values `env:VAR` and `file:/abs/path` are resolved by the
   * server.
   */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** Index everything again, ignoring caches and fingerprints. */
  readonly full?: boolean | undefined;
  /** Cursor or date, for connectors that can sync from one. */
  readonly since?: string | null | undefined;
  /** true: index before answering; false: queue a job. */
  readonly process?: boolean | undefined;
  /** Apply the config to a source that is registered already. */
  readonly update?: boolean | undefined;
}

export interface AddResponse {
  readonly job_id: string;
  /**
   * Root URIs of other sources that hold this one, or lie in it. What two sources hold is indexed
   * for each, and is one hit of a search.
   */
  readonly overlaps: readonly string[];
  /**
   * What the configuration had better do otherwise: a secret in plain text, for which there are
   * references.
   */
  readonly warnings: readonly string[];
}

export interface CancelResponse {
  readonly job_id: string;
  /** false when the job had ended already. */
  readonly cancelled: boolean;
}

export interface CatResponse {
  readonly source: string;
  readonly content: string;
  /** The source gave only a part. */
  readonly partial: boolean;
}

export interface ConnectorRow {
  readonly root_uri: string;
  readonly type: string;
  /**
   * active, syncing, removing or error (the last sync failed, or the source could not be reached
   * since).
   */
  readonly status: string;
  readonly object_count: number;
  readonly chunk_count: number;
  readonly last_synced_at: string | null;
  /** Error code: what is wrong with the source, as far as is known. */
  readonly error: string | null;
  /** The same as a sentence for people. */
  readonly detail: string | null;
}

export interface EstimateResponse {
  readonly target: string;
  readonly type: string;
  readonly objects: number;
  readonly sampled_objects: number;
  readonly est_chunks: number;
  readonly est_tokens: number;
}

export interface GrepMatch {
  /** Object URI; null for a notice. */
  readonly source: string | null;
  readonly locator: Readonly<Record<string, unknown>> | null;
  readonly content: string;
  readonly via: 'pushdown' | 'bm25' | 'linear' | 'notice';
}

export interface GrepResponse {
  readonly results: readonly GrepMatch[];
  /** There are more matches than were asked for. */
  readonly truncated: boolean;
}

export interface Health {
  readonly status: 'ok';
}

export type InspectResponse = Readonly<Record<string, unknown>>;

export interface JobResponse {
  readonly id: string;
  /** queued, running, succeeded, partial, failed or cancelled; open to more. */
  readonly status: string;
  readonly op_kind: string | null;
  readonly trigger: string | null;
  readonly target: string | null;
  /**
   * What a running job is at: listing (and indexing what it has met), indexing, optimizing; open to
   * more.
   */
  readonly phase: string | null;
  /** Error code, when the job failed or was cancelled. */
  readonly error: string | null;
  /** The same as a sentence for people. */
  readonly detail: string | null;
  /** Objects met and objects to remove; it grows while the source is listed. */
  readonly total_objects: number | null;
  /** added, changed and removed together. */
  readonly succeeded_objects: number | null;
  /** Those that the next sync tries again; `failures` says why. */
  readonly failed_objects: number | null;
  /** Not done when the job ended early. */
  readonly cancelled_objects: number | null;
  /** unchanged and left_out together. */
  readonly skipped_objects: number | null;
  /** Objects that can be found now, and could not before. */
  readonly added: number;
  /** Objects indexed anew, or under a new path. */
  readonly changed: number;
  /** Objects that the source does not have any more. */
  readonly removed: number;
  /** Objects that were indexed as they are. */
  readonly unchanged: number;
  /** Objects that are listed and read, not indexed; `failures` and ls say why. */
  readonly left_out: number;
  /** Chunks of the objects that were added or changed. */
  readonly chunks: number | null;
  /** Those of the chunks that could not be embedded, and are found by keyword only. */
  readonly chunks_without_vector: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  /**
   * The first 20 objects that failed; after them, once the job has ended, an example of each reason
   * for which objects were left out (code `left_out`).
   */
  readonly failures: readonly {
    readonly path: string;
    readonly code: string;
    readonly error: string;
  }[];
  /** What else to know of this sync: a rule that matched nothing, say. */
  readonly notes: readonly string[];
}

export interface LsEntry {
  readonly name: string;
  readonly type: 'file' | 'dir';
  readonly media_type: string | null;
  readonly size_hint: number | null;
  /** Object URI, usable with ls, cat, search, head and export. */
  readonly path: string | null;
  /** indexed, partial or not_indexed, when known. */
  readonly search_status: string | null;
  readonly indexable: boolean | null;
  /** Why it is not, or only partly, indexed. */
  readonly reason: string | null;
  /** Of a directory: a repeated one on a walk is a loop of links. */
  readonly real_id: string | null;
}

export interface LsResponse {
  readonly entries: readonly LsEntry[];
  readonly capabilities: {
    readonly sync: {
      /** The connector reports changes instead of listing everything. */
      readonly incremental: boolean;
      readonly since: boolean;
    };
    readonly object: {
      readonly read: boolean;
      readonly records: boolean;
      readonly tail: boolean;
      /** The source searches itself. */
      readonly grep: boolean;
    };
  };
}

export interface ObjectMeta {
  readonly source: string;
  readonly media_type: string | null;
  readonly size_hint: number | null;
  readonly fingerprint: string | null;
  readonly content: '';
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

export interface ProbeRequest {
  /** Path or URI of a source. */
  readonly target: string;
  /** Connector configuration, as for add. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** For estimate: only what changed since. */
  readonly since?: string | null | undefined;
}

export interface ProbeResponse {
  readonly target: string;
  readonly type: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface RemoveResponse {
  readonly target: string;
  readonly removed: boolean;
}

export interface ResultEnvelope {
  /** Object URI, usable with cat, head, tail and export. */
  readonly source: string;
  readonly content: string;
  /** In [0,1]: how well the hit fits; a perfect fit is near 1. */
  readonly score: number | null;
  /** Pass it back to cat. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  readonly metadata: {
    readonly chunk_kind: string;
    readonly connector_type: string;
    readonly media_type: string | null;
    readonly title: string | null;
    /** When it was written or last changed, as an ISO date and time. */
    readonly modified_at: string | null;
    /** Where people read it. */
    readonly url: string | null;
    /** Who wrote it. */
    readonly author: string | null;
    /** URIs of other objects that have the same text, a hundred at most. */
    readonly also: readonly string[];
    readonly fields: Readonly<Record<string, unknown>>;
    readonly scores: {
      readonly dense: number | null;
      readonly sparse: number | null;
    };
  };
}

export interface SearchResponse {
  readonly results: readonly ResultEnvelope[];
}

export interface ServerInfo {
  readonly version: string;
  /** Stable for this machine. */
  readonly machine_id: string;
  readonly namespace: string;
  readonly api_version: string;
  readonly capabilities: {
    /** URI schemes that can be added. */
    readonly schemes: readonly string[];
  };
}

export interface StatusResponse {
  readonly connectors: readonly ConnectorRow[];
  /** Number of jobs by status. */
  readonly jobs: Readonly<Record<string, number>>;
}
