// Generated from the OpenAPI document by "npm run generate". Do not edit.

export interface AddDocumentsRequest {
  /** Texts; each becomes one passage. */
  readonly documents: readonly string[];
  /** One for each document, unique; by default hashes of their content. */
  readonly ids?: readonly string[] | undefined;
  /** One for each document; what filters look at. */
  readonly metadatas?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Whether triplets are extracted from documents that have none in `triplets`. */
  readonly extract_triplets?: boolean | undefined;
  /** One list for each document, of `[subject, predicate, object]`. */
  readonly triplets?: readonly (readonly (readonly string[] | GraphTriplet)[])[] | undefined;
}

export interface AddDocumentsResponse {
  /** Documents in the graph. */
  readonly num_documents: number;
  /** Entities in the graph. */
  readonly num_entities: number;
  /** Relations in the graph. */
  readonly num_relations: number;
  /** One for each document. */
  readonly document_ids: readonly string[];
  /** What was left out, and why; at most 100. */
  readonly errors: readonly string[];
}

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
  /** A cursor or date to sync from, for connectors that support one. */
  readonly since?: string | null | undefined;
  /** true: index before answering; false: queue a job. */
  readonly process?: boolean | undefined;
  /** Apply the configuration to a source that is already registered. */
  readonly update?: boolean | undefined;
}

export interface AddResponse {
  /** The id of the job. */
  readonly job_id: string;
  /**
   * Root URIs of other sources that contain this one or lie inside it. What two sources share is
   * indexed for each and appears as one hit.
   */
  readonly overlaps: readonly string[];
  /**
   * Advice on the configuration: a secret in plain text, for example, is better given as a
   * reference.
   */
  readonly warnings: readonly string[];
}

export interface CancelResponse {
  /** The id of the job. */
  readonly job_id: string;
  /** false if the job had already ended. */
  readonly cancelled: boolean;
}

export interface CatResponse {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The text, or the records as text. */
  readonly content: string;
  /** The source returned only part of it. */
  readonly partial: boolean;
}

export interface ConnectorRow {
  /** Canonical URI of the source. */
  readonly root_uri: string;
  /** Its scheme, such as file. */
  readonly type: string;
  /**
   * active, syncing, removing, or error (the last sync failed, or the source could not be reached
   * since then).
   */
  readonly status: string;
  /** Objects that are known. */
  readonly object_count: number;
  /** Chunks of them in the index. */
  readonly chunk_count: number;
  /** When it was last synced to the end; null before that. */
  readonly last_synced_at: string | null;
  /** Error code: what is known to be wrong with the source. */
  readonly error: string | null;
  /** The same in words, for people. */
  readonly detail: string | null;
  /**
   * How a source with `watch = true` is kept up to date; null: it is not watched, or not by this
   * process.
   */
  readonly watch: SourceWatch;
}

export interface DiskSpace {
  /**
   * What is on it, the first of home, metadata, transformation_cache, index, artifact_cache and
   * uploads; there may be more in future.
   */
  readonly name: string;
  /** Free space; null: the disk does not answer. */
  readonly free_bytes: number | null;
  /**
   * ok, low (less than 500 MB left), full (less than 10 MB left) or unknown (the disk does not
   * answer); there may be more in future.
   */
  readonly state: string;
  /** What is wrong and what to do, for people. */
  readonly detail: string | null;
}

/**
 * Bytes that the server keeps, on its disk or in a database; up to a minute old. Null: not known,
 * or not yet.
 */
export interface DiskUse {
  /** The database of sources, objects and jobs. */
  readonly metadata: number | null;
  /** The vectors and words of all chunks. */
  readonly index: number | null;
  /** Embeddings and answers of the language model. */
  readonly transformation_cache: number | null;
  /** Converted documents. */
  readonly artifact_cache: number | null;
  /** Files that clients sent. */
  readonly uploads: number | null;
}

/** How far the sources are indexed with it that were indexed with another one; null: all are. */
export type EmbeddingSwitch = {
  /** The embedders whose index still answers for some sources, by words. */
  readonly from: readonly string[];
  /** All registered sources. */
  readonly sources: number;
  /** Those answered from the new index. */
  readonly sources_done: number;
  /** Objects of all sources, about. */
  readonly objects: number;
  /** Those that the new index has, about. */
  readonly objects_done: number;
} | null;

/** What the vectors of the index are made with. */
export interface EmbeddingUse {
  /** Model and dimension of the configured embedder. */
  readonly name: string;
  /** How far the sources are indexed with it that were indexed with another one; null: all are. */
  readonly switch: EmbeddingSwitch;
}

export interface EstimateResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** Its scheme, such as file. */
  readonly type: string;
  /** Objects that would be indexed. */
  readonly objects: number;
  /** How many of them were read for it. */
  readonly sampled_objects: number;
  /** Chunks that they would become, estimated. */
  readonly est_chunks: number;
  /** Tokens that would be embedded, estimated. */
  readonly est_tokens: number;
  /**
   * False for a source that is costly to list, such as a web site, if it holds more than could be
   * listed in a few seconds: the numbers are of that much.
   */
  readonly complete: boolean;
  /** What the source holds at its top, in the order of the source: at most 200. */
  readonly top_level: readonly TopLevelEntry[];
}

export interface Graph {
  /** What it is called in requests. */
  readonly name: string;
  /** Name of the collection of its entities. */
  readonly entity_collection: string;
  /** Name of the collection of its relations. */
  readonly relation_collection: string;
  /** Name of the collection of its passages. */
  readonly passage_collection: string;
  /** Whether all three are there: the graph is complete. */
  readonly has_all_collections: boolean;
}

export interface GraphBuild {
  /** The graph that is being built. */
  readonly graph_name: string;
  /** When it began. */
  readonly started_at: string;
  /** Passages that are worked up so far. */
  readonly num_passages: number;
  /** How many there will be; null while nobody knows. */
  readonly total_passages: number | null;
}

export interface GraphDeleted {
  /** Always true. */
  readonly success: boolean;
  /** For people. */
  readonly message: string;
}

export interface GraphDocument {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** All of it. */
  readonly text: string;
  /** Entities that its relations connect. */
  readonly entity_ids: readonly string[];
  /** Relations that it states. */
  readonly relation_ids: readonly string[];
  /** As it was added. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface GraphDocuments {
  /** One page of them. */
  readonly documents: readonly GraphDocument[];
  /** How many match. */
  readonly total: number;
}

export interface GraphEntity {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** As it was first spelled. */
  readonly name: string;
  /** Its first relations in words. */
  readonly description: string;
  /** Its relations in this answer. */
  readonly relation_ids: readonly string[];
  /** Passages that mention it, at most 20. */
  readonly passage_ids: readonly string[];
}

export interface GraphExpansionStep {
  /** 0 is what was found for the question itself. */
  readonly step: number;
  /** All entities after this step. */
  readonly entity_ids: readonly string[];
  /** For people. */
  readonly description: string;
  /** init: found for the question; expand: reached from what was there. */
  readonly operation: 'init' | 'expand';
  /** Entities that came with this step. */
  readonly added_entity_ids: readonly string[];
  /** Relations that came with this step. */
  readonly added_relation_ids: readonly string[];
  /** Entities after this step. */
  readonly total_entities: number;
  /** Relations after this step. */
  readonly total_relations: number;
}

export interface GraphHealth {
  /** Always ok. */
  readonly status: 'ok';
  /** Of the server. */
  readonly version: string;
}

export interface GraphNeighbors {
  /** Of the one that was asked for. */
  readonly entity_id: string;
  /** Most connected first, then by name. */
  readonly neighbors: readonly GraphEntity[];
  /** Those among the neighbors and the entity. */
  readonly relations: readonly GraphRelation[];
}

export interface GraphPassage {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** All of it. */
  readonly text: string;
  /** How well it fits; the best has 1. */
  readonly score: number;
  /**
   * What it was found by, above all: its words, an entity that the question names, a relation, an
   * entity that another passage led to, its meaning.
   */
  readonly via: 'lexical' | 'anchor' | 'fact' | 'bridge' | 'dense';
  /** As it was added. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface GraphQueryEntity {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** As it was first spelled. */
  readonly name: string;
  /** Its first relations in words. */
  readonly description: string;
  /** Its relations in this answer. */
  readonly relation_ids: readonly string[];
  /** Passages that mention it, at most 20. */
  readonly passage_ids: readonly string[];
  /** How well it fits; the best has 1. */
  readonly score: number;
}

export interface GraphQueryRequest {
  /** In natural language. */
  readonly question: string;
  /** Whether a language model, if one is configured, ranks what was found. */
  readonly use_reranking?: boolean | undefined;
  /** Entities found by the search. */
  readonly entity_top_k?: number | undefined;
  /** Relations found by the search. */
  readonly relation_top_k?: number | undefined;
  /** Hops that the subgraph grows; 0 for none. */
  readonly expansion_degree?: number | undefined;
  /** Passages that the answer is made from. */
  readonly passage_top_k?: number | undefined;
  /** Which documents count, by their metadata: `year >= 2020 and lang = "en"`. */
  readonly filter?: string | null | undefined;
}

export interface GraphQueryResponse {
  /** As it was asked. */
  readonly question: string;
  /** With the ids of the passages that it is from in square brackets. */
  readonly answer: string;
  /** Entities that the question names. */
  readonly query_entities: readonly GraphQueryEntity[];
  /** What explains the answer: at most 150 entities and 300 relations. */
  readonly subgraph: {
    /** Entities. */
    readonly entities: readonly GraphEntity[];
    /** Relations. */
    readonly relations: readonly GraphRelation[];
    /** The retrieved ones. */
    readonly passages: readonly GraphPassage[];
    /** How it grew. */
    readonly expansion_history: readonly GraphExpansionStep[];
    /** Of its entities. */
    readonly entity_ids: readonly string[];
    /** Of its relations. */
    readonly relation_ids: readonly string[];
    /** Of its passages. */
    readonly passage_ids: readonly string[];
  };
  /** What the answer is made from, best first. */
  readonly retrieved_passages: readonly GraphPassage[];
  /** What it took. */
  readonly stats: {
    /** With reranking. */
    readonly retrieval_time_ms: number;
    /** Of the answer. */
    readonly generation_time_ms: number;
    /** All of it. */
    readonly total_time_ms: number;
    /** Looked at. */
    readonly num_entities_retrieved: number;
    /** Looked at. */
    readonly num_relations_retrieved: number;
    /** Looked at. */
    readonly num_passages_retrieved: number;
  };
  /** What was found before reranking, best first. */
  readonly retrieval_detail: {
    /** Entities. */
    readonly entity_search_results: readonly GraphQueryEntity[];
    /** Relations. */
    readonly relation_search_results: readonly GraphScoredRelation[];
    /** What the expansion added. */
    readonly expanded_entities: readonly GraphEntity[];
    /** Of the entities, in their order. */
    readonly entity_ids: readonly string[];
    /** Names of the entities. */
    readonly entity_texts: readonly string[];
    /** Of the entities. */
    readonly entity_scores: readonly number[];
    /** Of the relations, in their order. */
    readonly relation_ids: readonly string[];
    /** Texts of the relations. */
    readonly relation_texts: readonly string[];
    /** Of the relations. */
    readonly relation_scores: readonly number[];
  };
  /** Only with `use_reranking`: the same in the order of the language model. */
  readonly rerank_result?:
    | {
        /** Entities. */
        readonly reranked_entities: readonly GraphQueryEntity[];
        /** Relations. */
        readonly reranked_relations: readonly GraphScoredRelation[];
        /** Passages. */
        readonly reranked_passages: readonly GraphPassage[];
        /** Of the relations, in their order. */
        readonly selected_relation_ids: readonly string[];
        /** Texts of the relations. */
        readonly selected_relation_texts: readonly string[];
      }
    | undefined;
  /** Whether the subgraph leaves out relations that were looked at. */
  readonly eviction_result: {
    /** Whether it leaves out any. */
    readonly occurred: boolean;
    /** Relations that were looked at. */
    readonly before_count: number;
    /** Relations of the subgraph. */
    readonly after_count: number;
  };
}

export interface GraphRelation {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** Name of the entity it starts from. */
  readonly source: string;
  /** Name of the entity it leads to. */
  readonly target: string;
  /** What it says. */
  readonly description: string;
  /** Its three parts as one text. */
  readonly text: string;
  /** What it is about. */
  readonly subject: string;
  /** What it says of that. */
  readonly predicate: string;
  /** What it relates it to. */
  readonly object: string;
  /** Of subject and object. */
  readonly entity_ids: readonly string[];
  /** Passages that state it, at most 20. */
  readonly passage_ids: readonly string[];
}

export interface GraphScoredRelation {
  /** Stable: the same after the graph is built again. */
  readonly id: string;
  /** Name of the entity it starts from. */
  readonly source: string;
  /** Name of the entity it leads to. */
  readonly target: string;
  /** What it says. */
  readonly description: string;
  /** Its three parts as one text. */
  readonly text: string;
  /** What it is about. */
  readonly subject: string;
  /** What it says of that. */
  readonly predicate: string;
  /** What it relates it to. */
  readonly object: string;
  /** Of subject and object. */
  readonly entity_ids: readonly string[];
  /** Passages that state it, at most 20. */
  readonly passage_ids: readonly string[];
  /** How well it fits; the best has 1. */
  readonly score: number;
}

export interface GraphSettings {
  /** The graph that an empty name means. */
  readonly default_graph: string;
  /** `rules` without a language model. */
  readonly llm_model: string;
  /** `lexical` needs no key. */
  readonly embedding_provider: string;
  /** What makes the vectors. */
  readonly embedding_model: string;
  /** Of the vectors. */
  readonly embedding_dimension: number;
  /** URI of the vector index, without credentials. */
  readonly milvus_uri: string;
  /** Name of its database: `default`. */
  readonly milvus_db: string;
  /** Whether a key for the model is configured. */
  readonly openai_api_key_set: boolean;
  /** Of the OpenAI-compatible API. */
  readonly openai_base_url: string;
  /** Whether a key for embedding is configured. */
  readonly embedding_api_key_set: boolean;
  /** null when not configured. */
  readonly embedding_base_url: string | null;
}

export interface GraphStats {
  /** The graph. */
  readonly graph_name: string;
  /** Entities in the graph. */
  readonly entity_count: number;
  /** Relations in the graph. */
  readonly relation_count: number;
  /** Passages in the graph. */
  readonly passage_count: number;
}

export interface GraphTriplet {
  /** What it is about. */
  readonly subject: string;
  /** What it says of that. */
  readonly predicate: string;
  /** What it relates it to. */
  readonly object: string;
}

export interface GraphsResponse {
  /** By name. */
  readonly graphs: readonly Graph[];
}

export interface GrepMatch {
  /** Object URI; null for a notice. */
  readonly source: string | null;
  /** Pass it to cat to read this part. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** The lines, or the record; of a notice, its text. */
  readonly content: string;
  /**
   * pushdown: the source searched; bm25: only objects that the index named were read; linear: all
   * were; notice: what was not searched.
   */
  readonly via: 'pushdown' | 'bm25' | 'linear' | 'notice';
  /** Where the match is in what is shown; null for records and notices. */
  readonly match: {
    /** The first and the last line of the match, without context. */
    readonly lines: readonly number[];
    /** Where it begins in its first line, in UTF-16 code units. */
    readonly column: number;
  } | null;
}

export interface GrepResponse {
  /** In the order of the sources. */
  readonly results: readonly GrepMatch[];
  /** There are more matches than `limit`. */
  readonly truncated: boolean;
  /** The cursor for them; null if there are no more. */
  readonly next: string | null;
}

export interface Health {
  /** Always ok. */
  readonly status: 'ok';
}

export interface ImportRequest {
  /**
   * http(s) URLs, absolute local paths (a file, a folder, or a pattern such as /notes/**\/*.md), or
   * URIs of registered sources.
   */
  readonly sources: readonly string[];
  /** Whether documents are split into chunks. */
  readonly chunk_documents?: boolean | undefined;
  /** Maximum number of characters in a chunk. */
  readonly chunk_size?: number | undefined;
  /**
   * Characters that adjacent chunks share, at most half of `chunk_size`. Default: 200, or half of
   * `chunk_size` if that is less.
   */
  readonly chunk_overlap?: number | undefined;
  /** Whether triplets are extracted. */
  readonly extract_triplets?: boolean | undefined;
  /**
   * Up to 64 letters, digits, underscores and hyphens; empty for the graph that
   * `[graph].default_graph` names.
   */
  readonly graph_name?: string | undefined;
}

export interface ImportResponse {
  /** false only when nothing was loaded. */
  readonly success: boolean;
  /** Sources named, or files sent. */
  readonly num_sources: number;
  /** Documents loaded. */
  readonly num_documents: number;
  /** Chunks they were split into: the passages. */
  readonly num_chunks: number;
  /** Entities in the graph. */
  readonly num_entities: number;
  /** Relations in the graph. */
  readonly num_relations: number;
  /** What could not be loaded, and why; at most 100. */
  readonly errors: readonly string[];
}

export type InspectResponse = Readonly<Record<string, unknown>>;

/** A condition that slows or stops the running job; null without one. */
export type JobObstacle = {
  /** `disk_full` or `disk_low`; there may be more in future. */
  readonly code: string;
  /** The same in words, with what to do, for people. */
  readonly detail: string;
} | null;

export interface JobResponse {
  /** As `add` gave it. */
  readonly id: string;
  /** queued, running, succeeded, partial, failed or cancelled; there may be more in future. */
  readonly status: string;
  /** What it does: sync. */
  readonly op_kind: string | null;
  /**
   * What began it: `manual`, `watch` (something in the source changed), `embedder` (another one is
   * configured) or `index` (which had lost parts of the source).
   */
  readonly trigger: string | null;
  /** Canonical URI of the source. */
  readonly target: string | null;
  /**
   * What a running job is doing: listing (and indexing what it has listed so far), indexing,
   * summarizing or optimizing; there may be more in future.
   */
  readonly phase: string | null;
  /**
   * Its source asked to be left alone until then (a rate limit, say), and goes on by itself; null:
   * it did not.
   */
  readonly paused_until: string | null;
  /** A condition that slows or stops the running job; null without one. */
  readonly obstacle: JobObstacle;
  /** Error code, if the job failed or was cancelled. */
  readonly error: string | null;
  /** The same in words, for people. */
  readonly detail: string | null;
  /** Objects listed so far, and objects to remove; it grows while the source is being listed. */
  readonly total_objects: number | null;
  /** The sum of added, changed and removed. */
  readonly succeeded_objects: number | null;
  /** The next sync tries them again; `failures` says why they failed. */
  readonly failed_objects: number | null;
  /** Still open when the job ended early. */
  readonly cancelled_objects: number | null;
  /** The sum of unchanged and left_out. */
  readonly skipped_objects: number | null;
  /** Objects that can be found now but could not before. */
  readonly added: number;
  /** Objects reindexed, or moved to a new path. */
  readonly changed: number;
  /** Objects no longer in the source. */
  readonly removed: number;
  /** Objects already indexed as they are. */
  readonly unchanged: number;
  /** Objects that can be listed and read but are not indexed; `left_out_reasons` and ls say why. */
  readonly left_out: number;
  /** Chunks of the objects that were added or changed. */
  readonly chunks: number | null;
  /** How many of the chunks could not be embedded, and are found by keyword only. */
  readonly chunks_without_vector: number;
  /** Summaries and descriptions that were written; what is remembered takes no call. */
  readonly summaries: number;
  /** Those that could not be written; `failures` and `notes` say why, and the next sync tries again. */
  readonly summaries_missing: number;
  /** Calls to the language model that were answered. */
  readonly model_calls: number;
  /** Tokens that the language model read in them. */
  readonly model_input_tokens: number;
  /** Tokens that it wrote. */
  readonly model_output_tokens: number;
  /** When it was queued. */
  readonly created_at: string;
  /** When a worker first took it; null while it is queued. */
  readonly started_at: string | null;
  /** When it ended, however it ended; null before that. */
  readonly finished_at: string | null;
  /** The first 20 objects that failed. */
  readonly failures: readonly {
    /** Of the object, below its source. */
    readonly path: string;
    /** Stable; for programs to act on. */
    readonly code: string;
    /** The same in words, for people. */
    readonly error: string;
  }[];
  /** Why objects were left out, at most 20 reasons; empty until the job has ended. */
  readonly left_out_reasons: readonly {
    /** In words, for people. */
    readonly reason: string;
    /** How many were left out for it. */
    readonly objects: number;
    /** Of one of them, below its source. */
    readonly path: string;
  }[];
  /** Sentences about conditions that did not fail the job, such as a rule that matched nothing. */
  readonly warnings: readonly string[];
}

export interface LsEntry {
  /** The last part of its path. */
  readonly name: string;
  /** file: an object; dir: a folder. */
  readonly type: 'file' | 'dir';
  /** If known. */
  readonly media_type: string | null;
  /** In bytes, if known. */
  readonly size_hint: number | null;
  /** Object URI, usable with ls, cat, search, head and export. */
  readonly path: string | null;
  /** indexed, partial or not_indexed, if known. */
  readonly search_status: string | null;
  /** false: left out by a rule or a limit, as `reason` says; null if not known. */
  readonly indexable: boolean | null;
  /** Why it is not indexed, or only in part; of an indexed text, that its encoding was guessed. */
  readonly reason: string | null;
  /** For a directory: if it repeats on the way down, links form a loop. */
  readonly real_id: string | null;
}

export interface LsResponse {
  /** What is in the folder; of an object, just that object. */
  readonly entries: readonly LsEntry[];
  /** Of the source. */
  readonly capabilities: {
    /** How it can be synced. */
    readonly sync: {
      /** The connector can report changes instead of listing everything. */
      readonly incremental: boolean;
      /** `add` takes a `since`. */
      readonly since: boolean;
    };
    /** How its objects can be read. */
    readonly object: {
      /** Objects have bytes. */
      readonly read: boolean;
      /** Objects consist of records. */
      readonly records: boolean;
      /** They have an order, so `tail` can be asked for. */
      readonly tail: boolean;
      /** The source has a search of its own. */
      readonly grep: boolean;
    };
  };
}

export interface ManifestRequest {
  /** Which machine the files are of: letters, digits, `.`, `_` and `-`, but not `local`. */
  readonly client_id: string;
  /** Absolute path of the folder on that machine. */
  readonly root: string;
  /** All files, as the file system knows them, without having been read. */
  readonly files?:
    | readonly {
        /** Relative to the root, `/`-separated. */
        readonly path: string;
        /** In bytes. */
        readonly size: number;
        /** When it was modified, in nanoseconds since 1970, as a number or a text. */
        readonly mtime_ns: number | string;
        /** As a number or a text, if there is one. */
        readonly inode?: number | string | null | undefined;
      }[]
    | undefined;
}

export interface ManifestResponse {
  /** Root URI of the source. */
  readonly connector_uri: string;
  /** Names the place where the server keeps the files of this source. */
  readonly staging: string;
  /** Paths that are new or look changed. */
  readonly need_sha1: readonly string[];
  /** Those of them that the server has: where the SHA-1 is still the same, no bytes need be sent. */
  readonly stored: readonly {
    /** Relative to the root, `/`-separated. */
    readonly path: string;
    /** Of its bytes, in hexadecimal. */
    readonly sha1: string;
  }[];
  /** Stored files that are not in the manifest: deleted, or renamed to a path with the same SHA-1. */
  readonly deletion_candidates: readonly {
    /** Relative to the root, `/`-separated. */
    readonly path: string;
    /** In bytes. */
    readonly size: number;
    /** As the client gave it; null if it gave none. */
    readonly inode: number | string | null;
    /** Of its bytes, in hexadecimal. */
    readonly sha1: string;
  }[];
}

export interface ObjectMeta {
  /** Canonical URI of the object. */
  readonly source: string;
  /** If known. */
  readonly media_type: string | null;
  /** In bytes, if known. */
  readonly size_hint: number | null;
  /** Changes when the object does, if its source has such a thing. */
  readonly fingerprint: string | null;
  /** Always empty. */
  readonly content: '';
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

export interface ProbeRequest {
  /** Path or URI of a source. */
  readonly target: string;
  /** The connector's configuration, as for add. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** For an estimate: count only what has changed since then. */
  readonly since?: string | null | undefined;
}

export interface ProbeResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** Its scheme, such as file. */
  readonly type: string;
  /** It can be reached. */
  readonly ok: boolean;
  /** What was found, or why it cannot be reached. */
  readonly detail: string;
}

export interface Ready {
  /** Always ready. */
  readonly status: 'ready';
  /**
   * Codes of problems that do not stop reads: `disk_low` (a disk of the server has less than 500 MB
   * left). There may be more in future.
   */
  readonly warnings: readonly string[];
}

export interface RemoveResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** true: it is gone, and all that was known of it. */
  readonly removed: boolean;
}

export interface ResultEnvelope {
  /** Object URI, usable with cat, head, tail and export. */
  readonly source: string;
  /** The text of the chunk. */
  readonly content: string;
  /** How well the hit fits, from 0 to 1; a perfect fit is near 1. */
  readonly score: number | null;
  /** Pass it to cat to read this part. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** What is known of the chunk and of its object. */
  readonly metadata: {
    /** As in the filter `kind`. */
    readonly chunk_kind: string;
    /** Scheme of the source, such as file. */
    readonly connector_type: string;
    /** Of the object, if known. */
    readonly media_type: string | null;
    /** Of the object, if it has one. */
    readonly title: string | null;
    /** When it was written or last changed, as an ISO date and time. */
    readonly modified_at: string | null;
    /** Where people can read it. */
    readonly url: string | null;
    /** Who wrote it. */
    readonly author: string | null;
    /** URIs of other objects with the same text, at most 100. */
    readonly also: readonly string[];
    /** The reason for the demotion of the hit; null for others. See the parameter `demote`. */
    readonly demoted_reason:
      | 'licence'
      | 'changelog'
      | 'commit'
      | 'fixture'
      | 'generated'
      | 'log'
      | 'test'
      | 'vendored'
      | null;
    /** Further facts, which filters can name. */
    readonly fields: Readonly<Record<string, unknown>>;
    /**
     * How well it fits by meaning (dense), by words (sparse) and to a second model (rerank); null
     * where not found so.
     */
    readonly scores: {
      /** Cosine similarity. */
      readonly dense: number | null;
      /** BM25. */
      readonly sparse: number | null;
      /** What the model of `[rerank]` gave, whose order this is; null: it was not asked, or failed. */
      readonly rerank: number | null;
    };
  };
}

export interface SearchResponse {
  /** Best first. */
  readonly results: readonly ResultEnvelope[];
  /** Only when the question was answered with other words than those asked for. */
  readonly metadata?:
    | {
        /** The question as it was answered. */
        readonly showing_results_for: string;
        /** What was taken for a typing error. */
        readonly corrections: readonly {
          /** A word that nothing indexed has. */
          readonly word: string;
          /** The words one letter away that were looked for, the commonest first. */
          readonly instead: readonly string[];
        }[];
      }
    | undefined;
}

export interface ServerInfo {
  /** Of the server. */
  readonly version: string;
  /** Stable for this machine. */
  readonly machine_id: string;
  /** Servers of different namespaces may share databases without seeing each other's data. */
  readonly namespace: string;
  /** Of the routes: `v1`. */
  readonly api_version: string;
  /** What can be asked of this server. */
  readonly capabilities: {
    /** URI schemes of sources that can be added. */
    readonly schemes: readonly string[];
  };
}

/**
 * How a source with `watch = true` is kept up to date; null: it is not watched, or not by this
 * process.
 */
export type SourceWatch = {
  /**
   * `events` (the source reports changes) or `polling` (it is synced at intervals); there may be
   * more in future.
   */
  readonly by: string;
  /** Time until the next of these syncs; null with `events`. */
  readonly every_seconds: number | null;
  /** Why it is polled and what to do, for people; null with `events`. */
  readonly detail: string | null;
} | null;

export interface StatusResponse {
  /** The registered sources. */
  readonly connectors: readonly ConnectorRow[];
  /** What the vectors of the index are made with. */
  readonly embedding: EmbeddingUse;
  /** Number of jobs by status. */
  readonly jobs: Readonly<Record<string, number>>;
  /**
   * Bytes that the server keeps, on its disk or in a database; up to a minute old. Null: not known,
   * or not yet.
   */
  readonly disk: DiskUse;
  /** The disks that the server writes to, each once; up to 5 s old. */
  readonly disk_space: readonly DiskSpace[];
}

export interface TopLevelEntry {
  /** As the source calls it. */
  readonly name: string;
  /** Whether the objects are below it. */
  readonly is_folder: boolean;
  /** Objects that would be indexed of it. */
  readonly objects: number;
}
