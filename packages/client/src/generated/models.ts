// Generated from the OpenAPI document by "npm run generate". Do not edit.

export interface AddDocumentsRequest {
  /** Texts. Each becomes one passage. */
  readonly documents: readonly string[];
  /** One unique id per document. Default: hashes of the texts. */
  readonly ids?: readonly string[] | undefined;
  /** One object per document, for filters. */
  readonly metadatas?: readonly Readonly<Record<string, unknown>>[] | undefined;
  /** Extract triplets from documents without `triplets`. */
  readonly extract_triplets?: boolean | undefined;
  /** One list of `[subject, predicate, object]` per document. */
  readonly triplets?: readonly (readonly (readonly string[] | GraphTriplet)[])[] | undefined;
}

export interface AddDocumentsResponse {
  /** Documents in the graph. */
  readonly num_documents: number;
  /** Entities in the graph. */
  readonly num_entities: number;
  /** Relations in the graph. */
  readonly num_relations: number;
  /** One id per document. */
  readonly document_ids: readonly string[];
  /** Warnings, at most 100. */
  readonly errors: readonly string[];
}

export interface AddRequest {
  /** Path or URI of the source to register and index. */
  readonly target: string;
  /** Configuration of the connector. The server resolves the values `env:VAR` and `file:/abs/path`. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** Index everything again, ignoring caches and fingerprints. */
  readonly full?: boolean | undefined;
  /** Sync only changes since this date, if the connector supports it. */
  readonly since?: string | null | undefined;
  /** `true`: respond after indexing. `false`: queue a job and respond at once. */
  readonly process?: boolean | undefined;
  /** Apply the configuration to a source that is already registered. */
  readonly update?: boolean | undefined;
  /**
   * Sync only these paths of a registered source, such as failed objects. Everything is listed if
   * the connector cannot list single paths.
   */
  readonly paths?: readonly string[] | null | undefined;
  /**
   * When to sync the source. Changes only these keys of its configuration: an omitted key stays, and
   * `null` removes it. Requires `update` for a registered source.
   */
  readonly schedule?: ScheduleChange | undefined;
}

export interface AddResponse {
  /** The id of the job. */
  readonly job_id: string;
  /**
   * Root URIs of sources that contain this one or lie inside it. Shared objects are indexed for each
   * source and appear as one hit.
   */
  readonly overlaps: readonly string[];
  /** Advice on the configuration, for example to replace a plain-text secret by a reference. */
  readonly warnings: readonly string[];
}

export interface ApplySourcesRequest {
  /** The desired sources. */
  readonly sources: readonly SourceDefinition[];
  /** Remove all other sources, except uploaded ones. */
  readonly prune?: boolean | undefined;
  /** Return the difference and change nothing. */
  readonly dry_run?: boolean | undefined;
}

export interface ApplySourcesResponse {
  /** Nothing was changed. */
  readonly dry_run: boolean;
  /** One item for each desired or removed source. */
  readonly changes: readonly SourceChange[];
}

export interface AskCitation {
  /** The number in the answer, such as `[1]`. */
  readonly id: number;
  /** URI of the object, for `cat`, `head`, `tail` and `export`. */
  readonly source: string;
  /** The lines of the quote, or its record. Pass it to `cat` to read them. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** The cited text, exactly as in the passage. */
  readonly quote: string;
  /** The quote occurs in the passage. Other citations are removed. */
  readonly verified: true;
}

export interface AskPassage {
  /** Rank of the passage. */
  readonly id: number;
  /** URI of the object, for `cat`, `head`, `tail` and `export`. */
  readonly source: string;
  /** Pass it to `cat` to read this part. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** The text of the passage. */
  readonly content: string;
  /** Relevance score from 0 to 1. */
  readonly score: number | null;
}

export interface AskRequest {
  /** A question in natural language. */
  readonly question: string;
  /** Search only this source, folder or object. */
  readonly path?: string | undefined;
  /**
   * Only objects with a matching path, relative to `path` or the source. Comma-separated
   * `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.
   */
  readonly glob?: string | undefined;
  /** Only files of these types, such as `ts,py,md`. `!` excludes a type. */
  readonly type?: string | undefined;
  /**
   * A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as
   * `media_type = "text/markdown" and author in ("ann", "bo")`.
   */
  readonly filter?: string | undefined;
  /** Maximum number of passages that the answer may cite. */
  readonly max_passages?: number | undefined;
}

export interface AskResponse {
  /** The question of the request. */
  readonly question: string;
  /**
   * The answer with the numbers of its citations, such as `[1]`, or `Not found`. Other numbers in
   * brackets are written `\[3\]`.
   */
  readonly answer: string;
  /** Whether the passages answer the question. */
  readonly found: boolean;
  /** The language model that wrote the answer, or `rules` if the answer quotes the passages. */
  readonly model: string;
  /**
   * What differs from the request: a corrected spelling, a failed language model, or statements that
   * were left out. Null if nothing does.
   */
  readonly notice: string | null;
  /** In the order of the answer. */
  readonly citations: readonly AskCitation[];
  /** The passages that were considered, best first. */
  readonly passages: readonly AskPassage[];
}

export interface BackupRequest {
  /**
   * Absolute path of a missing or empty folder on the machine of the server, or a folder of a
   * bucket: `s3://bucket/folder`.
   */
  readonly to: string;
}

export interface BackupResponse {
  /** The state of the last backup since the server started. */
  readonly status: 'none' | 'running' | 'succeeded' | 'failed';
  /** The folder of the backup. */
  readonly to: string | null;
  /** When it began. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly finished_at: string | null;
  /** The number of its files so far. */
  readonly files: number;
  /** The size of its files so far. */
  readonly bytes: number;
  /** Data of the server that the backup does not contain. */
  readonly warnings: readonly string[];
  /** The error code if it failed. */
  readonly error: string | null;
  /** The error in words. */
  readonly detail: string | null;
}

/** The error that the request would return alone. */
export interface BatchError {
  /** Stable error code, for programs. */
  readonly code: string;
  /** Description for people. Do not parse it. */
  readonly detail: string;
  /** Remedies. */
  readonly suggestions: readonly string[];
}

export interface BatchFailure {
  /** The request failed. */
  readonly ok: false;
  /** The error that the request would return alone. */
  readonly error: BatchError;
}

export interface BatchedRead {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /**
   * Lines `start:end`, or records of a table, from 1, both ends inclusive. `10:` and `:20` also
   * work.
   */
  readonly range?: string | undefined;
  /**
   * Bytes `start:end` of a large text, from 0, without the end, at most 1 MiB. Omits characters that
   * the range cuts.
   */
  readonly bytes?: string | undefined;
  /** The locator of a search hit, as JSON. */
  readonly locator?: string | undefined;
  /** Return metadata of the object instead of its content. */
  readonly meta?: boolean | undefined;
  /**
   * `peek`: headings and signatures with line numbers. `skim`: also the first line below each.
   * `deep`: everything.
   */
  readonly density?: 'peek' | 'skim' | 'deep' | undefined;
  /** Begin each line with its number and a tab, like `cat -n`. */
  readonly numbers?: boolean | undefined;
  /** Lines to add before and after `range` or the lines of `locator`. */
  readonly context?: number | undefined;
  /**
   * Return the whole definition or section around the first line of `range` or `locator`. Without
   * one, returns the lines themselves.
   */
  readonly enclosing?: boolean | undefined;
}

export interface BatchedReadSuccess {
  /** The request succeeded. */
  readonly ok: true;
  /** The response of the read. */
  readonly value: CatResponse | ObjectMeta;
}

export interface BatchedSearch {
  /** The query. Only the first few hundred words of a long text count. */
  readonly q: string;
  /** Search only this source, folder or object. */
  readonly path?: string | undefined;
  /** `semantic`: by meaning. `keyword`: by words. `hybrid`: by both. */
  readonly mode?: 'hybrid' | 'semantic' | 'keyword' | undefined;
  /** Maximum number of hits. */
  readonly top_k?: number | undefined;
  /** Number of best hits to skip. */
  readonly offset?: number | undefined;
  /** Return only the best hit of each object. */
  readonly collapse?: boolean | undefined;
  /**
   * Lower the scores of tests, fixtures, logs, licences, changelogs, commits, generated and vendored
   * files, unless the query asks for them.
   */
  readonly demote?: boolean | undefined;
  /**
   * Comma-separated chunk kinds: body, row_text, thread_aggregate, record_aggregate, summary,
   * vlm_description, directory_summary, schema_summary.
   */
  readonly kind?: string | undefined;
  /**
   * A condition on path, media_type, chunk_kind, modified_at or a metadata field, such as
   * `media_type = "text/markdown" and author in ("ann", "bo")`.
   */
  readonly filter?: string | undefined;
  /**
   * Only objects with a matching path, relative to `path` or the source. Comma-separated
   * `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.
   */
  readonly glob?: string | undefined;
  /** Only files of these types, such as `ts,py,md`. `!` excludes a type. */
  readonly type?: string | undefined;
  /**
   * Only objects modified at this time or later: an ISO date, a date and time, or an age such as
   * `7d` or `12h`.
   */
  readonly since?: string | undefined;
  /** Only objects modified before this time, in the form of `since`. */
  readonly until?: string | undefined;
  /**
   * `modified`: order the 100 most relevant hits by the time of the last change, newest first. Other
   * hits follow by relevance.
   */
  readonly sort?: 'relevance' | 'modified' | undefined;
  /**
   * Return only the lines around the best matching lines of each hit, with at most this many
   * characters.
   */
  readonly snippet?: number | undefined;
  /**
   * Maximum size of the JSON response. Omits the last hits, and shortens a first hit that is too
   * large alone.
   */
  readonly max_bytes?: number | undefined;
  /**
   * Add `explanation` to each hit: how its rank and its score came about. `top_k` must then be at
   * most 100.
   */
  readonly explain?: boolean | undefined;
}

export interface BatchedSearchSuccess {
  /** The request succeeded. */
  readonly ok: true;
  /** The response of the search. */
  readonly value: SearchResponse;
}

/** The access of the caller. */
export interface CallerAccess {
  /** `read`, `sync` or `admin`. Later versions may add values. */
  readonly rights: string;
  /** `false` if the token sees only some sources, folders or objects. */
  readonly sees_all: boolean;
}

export interface CancelResponse {
  /** The id of the job. */
  readonly job_id: string;
  /** `false` if the job had already ended. */
  readonly cancelled: boolean;
}

export interface CatResponse {
  /** Canonical URI of the object. */
  readonly source: string;
  /** The text of the object or of its records. */
  readonly content: string;
  /** The source returned only part of the object. */
  readonly partial: boolean;
  /**
   * The lines in `content`, from 1. Null for records, bytes and outlines. Only `cat` and `head`
   * return it.
   */
  readonly lines?:
    | {
        /** The first line. */
        readonly from: number;
        /** The last line. Less than `from` if there are no such lines. */
        readonly to: number;
        /** Number of lines of the object. Null if it was not read to its end. */
        readonly total: number | null;
      }
    | null
    | undefined;
  /**
   * With `enclosing`: whether a definition or section encloses the line. If false, `content` has the
   * lines themselves.
   */
  readonly enclosed?: boolean | undefined;
  /** The headings or definitions, for `density=peek`. Null otherwise. Only `cat` returns it. */
  readonly outline?: readonly OutlineEntry[] | null | undefined;
}

export interface ConnectorQuestion {
  /** Name of a setting in `config_schema`. */
  readonly setting: string;
  /** The question: `Access token`. */
  readonly ask: string;
  /** Where people find the answer. */
  readonly help: string | null;
}

export interface ConnectorRow {
  /** Canonical URI of the source. */
  readonly root_uri: string;
  /** URI scheme of the source, such as `file`. */
  readonly type: string;
  /**
   * `active`, `syncing`, `removing` or `error` (the last sync failed, or the source has become
   * unreachable).
   */
  readonly status: string;
  /** Number of known objects. */
  readonly object_count: number;
  /** Number of their chunks in the index. */
  readonly chunk_count: number;
  /**
   * Size of the files that only this source has, and its share of the index by chunks. Up to a
   * minute old. Null if unknown.
   */
  readonly disk_bytes: number | null;
  /** When the last complete sync ended. Null before the first. */
  readonly last_synced_at: string | null;
  /** Error code of the current problem of the source. */
  readonly error: string | null;
  /** Description of the problem, for people. */
  readonly detail: string | null;
  /**
   * Next time of the schedule. A time in the past means that the sync starts soon. Null without a
   * schedule.
   */
  readonly next_sync_at: string | null;
  /** The source is synced only on request, so `next_sync_at` is null. */
  readonly paused: boolean;
  /** When the current series of failed syncs began. Null without a problem. */
  readonly failing_since: string | null;
  /** The last problem of the source, even if later syncs succeeded. */
  readonly last_error: LastError;
  /** How a source with `watch = true` is kept up to date. Null if this process does not watch it. */
  readonly watch: SourceWatch;
}

export interface ConnectorType {
  /** URI scheme of the source. */
  readonly type: string;
  /** JSON Schema of the configuration. `writeOnly` marks secrets. */
  readonly config_schema: Readonly<Record<string, unknown>>;
  /**
   * Label for the part of a URI after `scheme://`: `Repository (owner/name)`. Null if the connector
   * has none.
   */
  readonly address: string | null;
  /** The most common settings, with a question for each. */
  readonly questions: readonly ConnectorQuestion[];
}

export interface CreateTokenRequest {
  /** Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`. */
  readonly name: string;
  /**
   * `read` searches and reads. `sync` also syncs registered sources. `admin` may use every
   * operation.
   */
  readonly rights?: 'read' | 'sync' | 'admin' | undefined;
  /**
   * Paths or URIs of sources, folders and objects. The token sees only these and everything below
   * them. Null: all. A token with the right `admin` sees all.
   */
  readonly paths?: readonly string[] | null | undefined;
  /** Seconds until the token ends. Null: it never ends. */
  readonly expires_in_s?: number | null | undefined;
}

export interface CreatedToken {
  /** The public part of the token. */
  readonly id: string;
  /** Name of the token. */
  readonly name: string;
  /** `read`, `sync` or `admin`. Later versions may add values. */
  readonly rights: string;
  /** Canonical URIs of what the token sees. Null: everything. */
  readonly paths: readonly string[] | null;
  /** When the token was created. */
  readonly created_at: string;
  /** When the token was last used, to the minute. Null if never. */
  readonly last_used_at: string | null;
  /** When the token ends or has ended. Null: never. */
  readonly ends_at: string | null;
  /** Whether a newer token with this name exists. This one is valid until it ends. */
  readonly is_replaced: boolean;
  /** The token. The server stores only its hash. */
  readonly token: string;
}

export interface DiskSpace {
  /**
   * The first part of the data on this disk: `home`, `metadata`, `transformation_cache`, `index`,
   * `artifact_cache` or `uploads`. Later versions may add values.
   */
  readonly name: string;
  /** Free bytes. Null if the disk does not respond. */
  readonly free_bytes: number | null;
  /**
   * `ok`, `low` (less than 500 MB left), `full` (less than 10 MB left) or `unknown` (the disk does
   * not respond). Later versions may add values.
   */
  readonly state: string;
  /** Problem and remedy, for people. */
  readonly detail: string | null;
}

/** Bytes that the server stores on its disk or in a database, up to a minute old. Null if unknown. */
export interface DiskUse {
  /** Database of sources, objects and jobs. */
  readonly metadata: number | null;
  /** Vectors and terms of all chunks. */
  readonly index: number | null;
  /** Embeddings and answers of the language model. */
  readonly transformation_cache: number | null;
  /** Converted documents. */
  readonly artifact_cache: number | null;
  /** Uploaded files. */
  readonly uploads: number | null;
}

/** Progress of indexing sources with this embedder after a change. Null when all sources are done. */
export type EmbeddingSwitch = {
  /** Earlier embedders whose index still answers for some sources, by words only. */
  readonly from: readonly string[];
  /** Number of registered sources. */
  readonly sources: number;
  /** Sources that the new index answers for. */
  readonly sources_done: number;
  /** Approximate number of objects in all sources. */
  readonly objects: number;
  /** Approximate number of objects in the new index. */
  readonly objects_done: number;
} | null;

/** The embedder of the index. */
export interface EmbeddingUse {
  /** Name of the configured embedder, with model and dimension. */
  readonly name: string;
  /** Progress of indexing sources with this embedder after a change. Null when all sources are done. */
  readonly switch: EmbeddingSwitch;
}

export interface EstimateResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** URI scheme of the source, such as `file`. */
  readonly type: string;
  /** Objects that would be indexed. */
  readonly objects: number;
  /** Objects that were read for the estimate. */
  readonly sampled_objects: number;
  /** Estimated number of chunks. */
  readonly est_chunks: number;
  /** Estimated number of tokens to embed. */
  readonly est_tokens: number;
  /**
   * `false` if listing the source took too long, such as a large web site. The numbers then cover
   * only the listed part.
   */
  readonly complete: boolean;
  /** The top-level entries of the source, in its order, at most 200. */
  readonly top_level: readonly TopLevelEntry[];
}

export interface ExplainRequest {
  /** Path or URI of a source. */
  readonly target: string;
  /** Configuration of the connector, as for `add`. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** Explain a full sync. */
  readonly full?: boolean | undefined;
}

export interface ExplainResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** URI scheme of the source, such as `file`. */
  readonly type: string;
  /** The sync requests only what has changed since the last one. */
  readonly incremental: boolean;
  /** The kinds of requests, in their order, without logins. */
  readonly requests: readonly ExplainedRequest[];
}

export interface ExplainedRequest {
  /** What it requests, such as `issues`. */
  readonly name: string;
  /**
   * The request in the terms of the source: `GET https://…`. Braces mark values that only an answer
   * has.
   */
  readonly request: string;
  /** The body of the request. */
  readonly body: string | null;
  /** How often it is made, if not once: `for each of projects`. */
  readonly repeats: string | null;
  /** Further pages are requested until the last one. */
  readonly paged: boolean;
}

export interface ExplainedWord {
  /** The word, after spelling correction. */
  readonly word: string;
  /** The word as typed, if it was corrected. */
  readonly corrected_from: string | null;
  /** Number of chunks in the index with the word, counted up to 10,000. Rare words weigh more. */
  readonly chunks: number | null;
  /**
   * Where the hit has the word. `context`: in the headings or the definition around the text. Empty:
   * the hit lacks the word. All places except `text` count three times.
   */
  readonly places: readonly ('text' | 'title' | 'path' | 'context')[];
  /**
   * Part of the keyword score. 0: the word does not occur. Null also for the most common words of a
   * long query, whose parts are not computed.
   */
  readonly score: number | null;
}

export interface ExportSourcesResponse {
  /** The sources by URI, without uploaded ones. */
  readonly sources: readonly ExportedSource[];
}

export interface ExportedSource {
  /** Canonical URI of the source. */
  readonly target: string;
  /** Its configuration with references to secrets. Secrets in plain text are `***`. */
  readonly config: Readonly<Record<string, unknown>> | null;
}

export interface Graph {
  /** Name in requests. */
  readonly name: string;
  /** Name of the collection of its entities. */
  readonly entity_collection: string;
  /** Name of the collection of its relations. */
  readonly relation_collection: string;
  /** Name of the collection of its passages. */
  readonly passage_collection: string;
  /** True if all three collections exist, so the graph is complete. */
  readonly has_all_collections: boolean;
}

export interface GraphBuild {
  /** The graph that is being built. */
  readonly graph_name: string;
  /** Start of the build. */
  readonly started_at: string;
  /** Processed passages. */
  readonly num_passages: number;
  /** Number of passages; null until it is known. */
  readonly total_passages: number | null;
}

export interface GraphDeleted {
  /** Always true. */
  readonly success: boolean;
  /** A message for people. */
  readonly message: string;
}

export interface GraphDocument {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** The complete text. */
  readonly text: string;
  /** Subjects and objects of its relations. */
  readonly entity_ids: readonly string[];
  /** Relations that it states. */
  readonly relation_ids: readonly string[];
  /** Metadata from the request that added it. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface GraphDocuments {
  /** One page of documents. */
  readonly documents: readonly GraphDocument[];
  /** Number of matching documents. */
  readonly total: number;
}

export interface GraphEntity {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** First spelling. */
  readonly name: string;
  /** Its first relations as text. */
  readonly description: string;
  /** Its relations in this response. */
  readonly relation_ids: readonly string[];
  /** Passages that mention it, at most 20. */
  readonly passage_ids: readonly string[];
}

export interface GraphExpansionStep {
  /** Step 0 contains the results for the question itself. */
  readonly step: number;
  /** All entities after this step. */
  readonly entity_ids: readonly string[];
  /** A message for people. */
  readonly description: string;
  /** init: results for the question; expand: one more hop. */
  readonly operation: 'init' | 'expand';
  /** Entities added by this step. */
  readonly added_entity_ids: readonly string[];
  /** Relations added by this step. */
  readonly added_relation_ids: readonly string[];
  /** Entities after this step. */
  readonly total_entities: number;
  /** Relations after this step. */
  readonly total_relations: number;
}

export interface GraphHealth {
  /** Always ok. */
  readonly status: 'ok';
  /** Version of the server. */
  readonly version: string;
}

export interface GraphNeighbors {
  /** Id of the requested entity. */
  readonly entity_id: string;
  /** Most connected first, then by name. */
  readonly neighbors: readonly GraphEntity[];
  /** Relations among the neighbors and the entity. */
  readonly relations: readonly GraphRelation[];
}

export interface GraphPassage {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** The complete text. */
  readonly text: string;
  /** Relevance relative to the best, which has 1. */
  readonly score: number;
  /**
   * Main evidence: its words (lexical), an entity of the question (anchor), a relation (fact), an
   * entity of another passage (bridge), its meaning (dense).
   */
  readonly via: 'lexical' | 'anchor' | 'fact' | 'bridge' | 'dense';
  /** Metadata from the request that added it. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface GraphQueryEntity {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** First spelling. */
  readonly name: string;
  /** Its first relations as text. */
  readonly description: string;
  /** Its relations in this response. */
  readonly relation_ids: readonly string[];
  /** Passages that mention it, at most 20. */
  readonly passage_ids: readonly string[];
  /** Relevance relative to the best, which has 1. */
  readonly score: number;
}

export interface GraphQueryRequest {
  /** A question in natural language. */
  readonly question: string;
  /** Let a language model, if one is configured, rank the results. */
  readonly use_reranking?: boolean | undefined;
  /** Entities found by the search. */
  readonly entity_top_k?: number | undefined;
  /** Relations found by the search. */
  readonly relation_top_k?: number | undefined;
  /** Hops by which the subgraph grows. */
  readonly expansion_degree?: number | undefined;
  /** Passages for the answer. */
  readonly passage_top_k?: number | undefined;
  /** Filter on the metadata of documents: `year >= 2020 and lang = "en"`. */
  readonly filter?: string | null | undefined;
}

export interface GraphQueryResponse {
  /** The question of the request. */
  readonly question: string;
  /** The answer, which cites ids of passages in square brackets. */
  readonly answer: string;
  /** Entities named in the question. */
  readonly query_entities: readonly GraphQueryEntity[];
  /** The subgraph that explains the answer: at most 150 entities and 300 relations. */
  readonly subgraph: {
    /** Entities. */
    readonly entities: readonly GraphEntity[];
    /** Relations. */
    readonly relations: readonly GraphRelation[];
    /** The retrieved passages. */
    readonly passages: readonly GraphPassage[];
    /** Growth of the subgraph. */
    readonly expansion_history: readonly GraphExpansionStep[];
    /** Ids of its entities. */
    readonly entity_ids: readonly string[];
    /** Ids of its relations. */
    readonly relation_ids: readonly string[];
    /** Ids of its passages. */
    readonly passage_ids: readonly string[];
  };
  /** Passages for the answer, best first. */
  readonly retrieved_passages: readonly GraphPassage[];
  /** Times and counts. */
  readonly stats: {
    /** Retrieval, including reranking. */
    readonly retrieval_time_ms: number;
    /** Generation of the answer. */
    readonly generation_time_ms: number;
    /** Retrieval and generation. */
    readonly total_time_ms: number;
    /** Number of examined entities. */
    readonly num_entities_retrieved: number;
    /** Number of examined relations. */
    readonly num_relations_retrieved: number;
    /** Number of examined passages. */
    readonly num_passages_retrieved: number;
  };
  /** Results before reranking, best first. */
  readonly retrieval_detail: {
    /** Entities. */
    readonly entity_search_results: readonly GraphQueryEntity[];
    /** Relations. */
    readonly relation_search_results: readonly GraphScoredRelation[];
    /** Entities added by the expansion. */
    readonly expanded_entities: readonly GraphEntity[];
    /** Ids of the entities, in order. */
    readonly entity_ids: readonly string[];
    /** Names of the entities. */
    readonly entity_texts: readonly string[];
    /** Scores of the entities. */
    readonly entity_scores: readonly number[];
    /** Ids of the relations, in order. */
    readonly relation_ids: readonly string[];
    /** Texts of the relations. */
    readonly relation_texts: readonly string[];
    /** Scores of the relations. */
    readonly relation_scores: readonly number[];
  };
  /** Results in the order of the language model. Only with `use_reranking`. */
  readonly rerank_result?:
    | {
        /** Entities. */
        readonly reranked_entities: readonly GraphQueryEntity[];
        /** Relations. */
        readonly reranked_relations: readonly GraphScoredRelation[];
        /** Passages. */
        readonly reranked_passages: readonly GraphPassage[];
        /** Ids of the relations, in order. */
        readonly selected_relation_ids: readonly string[];
        /** Texts of the relations. */
        readonly selected_relation_texts: readonly string[];
      }
    | undefined;
  /** Relations that the limit of the subgraph excludes. */
  readonly eviction_result: {
    /** True if any relation is excluded. */
    readonly occurred: boolean;
    /** Number of examined relations. */
    readonly before_count: number;
    /** Number of relations in the subgraph. */
    readonly after_count: number;
  };
}

export interface GraphRelation {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** Name of the subject. */
  readonly source: string;
  /** Name of the object. */
  readonly target: string;
  /** The relation as text. */
  readonly description: string;
  /** Subject, predicate and object as one text. */
  readonly text: string;
  /** Subject of the statement. */
  readonly subject: string;
  /** Predicate of the statement. */
  readonly predicate: string;
  /** Object of the statement. */
  readonly object: string;
  /** Ids of subject and object. */
  readonly entity_ids: readonly string[];
  /** Passages that state it, at most 20. */
  readonly passage_ids: readonly string[];
}

export interface GraphScoredRelation {
  /** Stable across rebuilds of the graph. */
  readonly id: string;
  /** Name of the subject. */
  readonly source: string;
  /** Name of the object. */
  readonly target: string;
  /** The relation as text. */
  readonly description: string;
  /** Subject, predicate and object as one text. */
  readonly text: string;
  /** Subject of the statement. */
  readonly subject: string;
  /** Predicate of the statement. */
  readonly predicate: string;
  /** Object of the statement. */
  readonly object: string;
  /** Ids of subject and object. */
  readonly entity_ids: readonly string[];
  /** Passages that state it, at most 20. */
  readonly passage_ids: readonly string[];
  /** Relevance relative to the best, which has 1. */
  readonly score: number;
}

export interface GraphSettings {
  /** The graph of an empty name. */
  readonly default_graph: string;
  /** Language model. `rules` means none. */
  readonly llm_model: string;
  /** Embedder. `lexical` needs no key. */
  readonly embedding_provider: string;
  /** Embedding model. */
  readonly embedding_model: string;
  /** Dimension of the vectors. */
  readonly embedding_dimension: number;
  /** URI of the vector index, without credentials. */
  readonly milvus_uri: string;
  /** Name of its database, always `default`. */
  readonly milvus_db: string;
  /** True if a key for the language model is configured. */
  readonly openai_api_key_set: boolean;
  /** Base URL of the OpenAI-compatible API. */
  readonly openai_base_url: string;
  /** True if a key for the embedder is configured. */
  readonly embedding_api_key_set: boolean;
  /** Base URL of the embedder; null if not configured. */
  readonly embedding_base_url: string | null;
}

export interface GraphStats {
  /** Name of the graph. */
  readonly graph_name: string;
  /** Entities in the graph. */
  readonly entity_count: number;
  /** Relations in the graph. */
  readonly relation_count: number;
  /** Passages in the graph. */
  readonly passage_count: number;
}

export interface GraphTriplet {
  /** Subject of the statement. */
  readonly subject: string;
  /** Predicate of the statement. */
  readonly predicate: string;
  /** Object of the statement. */
  readonly object: string;
}

export interface GraphsResponse {
  /** All graphs, by name. */
  readonly graphs: readonly Graph[];
}

export interface GrepMatch {
  /** URI of the object. Null for a notice. */
  readonly source: string | null;
  /** Pass it to `cat` to read this part. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** The lines, the record, or the text of a notice. */
  readonly content: string;
  /**
   * `pushdown`: the source searched itself. `bm25`: only candidates from the index were read.
   * `linear`: all objects were read. `notice`: something was not searched.
   */
  readonly via: 'pushdown' | 'bm25' | 'linear' | 'notice';
  /** Position of the match. Null for records and notices. */
  readonly match: {
    /** First and last line of the match, without context. */
    readonly lines: readonly number[];
    /** First column of the match in its first line, in UTF-16 code units. */
    readonly column: number;
  } | null;
}

export interface GrepResponse {
  /** Matches in the order of the sources. */
  readonly results: readonly GrepMatch[];
  /** More matches exist than `limit`. */
  readonly truncated: boolean;
  /** Cursor for the following matches. Null if there are none. */
  readonly next: string | null;
}

export interface Health {
  /** Always ok. */
  readonly status: 'ok';
}

/**
 * How the rank and the score of the hit came about. Present only with `explain`. For tokens with
 * paths, numbers that depend on hidden objects are null.
 */
export interface HitExplanation {
  /** Rank among all hits, from 1, before a reranker or `sort` changed the order. */
  readonly rank: number;
  /**
   * The number that determines the rank, 0 to 1: the weighted sum of the scaled scores, times
   * `demotion_factor`.
   */
  readonly ranking_score: number | null;
  /** Retrieval by words. Null if the search did not use words. */
  readonly keyword: KeywordExplanation;
  /** Retrieval by vectors. Null if the search did not use vectors. */
  readonly semantic: SemanticExplanation;
  /**
   * The words of the query that were searched, at most 32. Words such as "the" and "how" are not
   * searched.
   */
  readonly words: readonly ExplainedWord[];
  /** Factor for tests, logs and the like, see `metadata.demoted_reason`. 1: none. */
  readonly demotion_factor: number;
  /** Number of other objects with the same text, which are part of this hit. */
  readonly copies: number;
  /**
   * Whether the hit follows lower-ranked ones, because the first ten hits already have two of its
   * object.
   */
  readonly moved_back: boolean;
  /** Relevance of the best hit: the share of the words that it has, or its cosine. */
  readonly best_score: number;
  /** `score` of the hit divided by `best_score`. */
  readonly relative_score: number;
  /** What the reranker did. Null if none ranked the hit. */
  readonly reranker: RerankerExplanation;
}

export interface ImportRequest {
  /**
   * http(s) URLs, absolute local paths (a file, a folder, or a pattern such as /notes/**\/*.md), or
   * URIs of registered sources.
   */
  readonly sources: readonly string[];
  /** Split documents into chunks. */
  readonly chunk_documents?: boolean | undefined;
  /** Maximum number of characters in a chunk. */
  readonly chunk_size?: number | undefined;
  /**
   * Characters that adjacent chunks share, at most half of `chunk_size`. Default: 200, or half of
   * `chunk_size` if that is less.
   */
  readonly chunk_overlap?: number | undefined;
  /** Extract triplets. */
  readonly extract_triplets?: boolean | undefined;
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name?: string | undefined;
}

export interface ImportResponse {
  /** False only if no document was loaded. */
  readonly success: boolean;
  /** Sources or files in the request. */
  readonly num_sources: number;
  /** Loaded documents. */
  readonly num_documents: number;
  /** Chunks of the documents, which are the passages. */
  readonly num_chunks: number;
  /** Entities in the graph. */
  readonly num_entities: number;
  /** Relations in the graph. */
  readonly num_relations: number;
  /** Documents that could not be loaded, with reasons; at most 100. */
  readonly errors: readonly string[];
}

export type InspectResponse = Readonly<Record<string, unknown>>;

/** A condition that slows or stops the running job. Null without one. */
export type JobObstacle = {
  /** `disk_full` or `disk_low`. Later versions may add values. */
  readonly code: string;
  /** Description and remedy, for people. */
  readonly detail: string;
} | null;

export interface JobResponse {
  /** The id of the job, as returned by `add`. */
  readonly id: string;
  /**
   * `queued`, `running`, `succeeded`, `partial`, `failed` or `cancelled`. Later versions may add
   * values.
   */
  readonly status: string;
  /** Kind of the job: `sync`. */
  readonly op_kind: string | null;
  /**
   * Why the job was created: `manual`, `watch` (the source changed), `schedule`, `move` (the source
   * was moved), `embedder` (the embedder changed) or `index` (the index had lost rows).
   */
  readonly trigger: string | null;
  /** Canonical URI of the source. */
  readonly target: string | null;
  /**
   * Phase of a running job: `listing` (already indexing listed objects), `indexing`, `summarizing`
   * or `optimizing`. Later versions may add values.
   */
  readonly phase: string | null;
  /**
   * End of a pause that the source requested, such as a rate limit. The job then continues. Null
   * without a pause.
   */
  readonly paused_until: string | null;
  /** A condition that slows or stops the running job. Null without one. */
  readonly obstacle: JobObstacle;
  /** Error code of a failed or cancelled job. */
  readonly error: string | null;
  /** Description of the error, for people. */
  readonly detail: string | null;
  /** Listed objects plus objects to remove. Grows during the listing. */
  readonly total_objects: number | null;
  /** Sum of `added`, `changed` and `removed`. */
  readonly succeeded_objects: number | null;
  /** Failed objects. The next sync retries them. `failures` has the reasons. */
  readonly failed_objects: number | null;
  /** Objects that were open when the job ended early. */
  readonly cancelled_objects: number | null;
  /** Sum of `unchanged` and `left_out`. */
  readonly skipped_objects: number | null;
  /** Newly indexed objects. */
  readonly added: number;
  /** Objects that were indexed again or moved to a new path. */
  readonly changed: number;
  /** Objects that the source no longer has. */
  readonly removed: number;
  /** Objects that were already indexed in this state. */
  readonly unchanged: number;
  /**
   * Objects that can be listed and read but are not indexed. `left_out_reasons` and `ls` have the
   * reasons.
   */
  readonly left_out: number;
  /** Chunks of added and changed objects. */
  readonly chunks: number | null;
  /** Chunks that could not be embedded, so only keywords find them. */
  readonly chunks_without_vector: number;
  /** Summaries and descriptions that were written. Cached ones need no model call. */
  readonly summaries: number;
  /**
   * Summaries that could not be written. The next sync retries them. `failures` and `warnings` have
   * the reasons.
   */
  readonly summaries_missing: number;
  /** Answered calls to the language model. */
  readonly model_calls: number;
  /** Tokens that the language model read. */
  readonly model_input_tokens: number;
  /** Tokens that the language model wrote. */
  readonly model_output_tokens: number;
  /** When the job was queued. */
  readonly created_at: string;
  /** When a worker first claimed the job. Null while it is queued. */
  readonly started_at: string | null;
  /** When the job ended. Null before. */
  readonly finished_at: string | null;
  /** The first 20 failed objects. */
  readonly failures: readonly {
    /** Path of the object below its source. */
    readonly path: string;
    /** Stable error code, for programs. */
    readonly code: string;
    /** Description of the error, for people. */
    readonly error: string;
  }[];
  /** Why objects were left out, at most 20 reasons. Empty until the job has ended. */
  readonly left_out_reasons: readonly {
    /** Description for people. */
    readonly reason: string;
    /** Number of objects with this reason. */
    readonly objects: number;
    /** Path of one of these objects below its source. */
    readonly path: string;
  }[];
  /** Conditions that did not fail the job, such as a rule without matches, in sentences. */
  readonly warnings: readonly string[];
}

/** Retrieval by words. Null if the search did not use words. */
export type KeywordExplanation = {
  /** Rank among the candidates of this arm, from 1. Null if it did not return the hit. */
  readonly rank: number | null;
  /** BM25 or the cosine similarity. */
  readonly score: number | null;
  /** The score scaled to 0 to 1 over the best 100 candidates of the arm. */
  readonly scaled: number | null;
  /** Weight of the scaled score in `ranking_score`, 0 to 1. */
  readonly weight: number;
  /** Part of the score because the hit defines a name of the query, or its file has this name. */
  readonly names: number | null;
  /**
   * Part of the score for adjacent words of the query that are adjacent here. Null if the parts of
   * some words are not known.
   */
  readonly pairs: number | null;
} | null;

/** The last problem of the source, even if later syncs succeeded. */
export type LastError = {
  /** Error code. */
  readonly code: string;
  /** Description, for people. */
  readonly detail: string;
  /** When it occurred. */
  readonly at: string;
} | null;

export interface LsEntry {
  /** The last segment of the path. */
  readonly name: string;
  /** `file` for an object, `dir` for a folder. */
  readonly type: 'file' | 'dir';
  /** Media type, if known. */
  readonly media_type: string | null;
  /** Size in bytes, if known. */
  readonly size_hint: number | null;
  /** URI of the object, for `ls`, `cat`, `search`, `head` and `export`. */
  readonly path: string | null;
  /** `indexed`, `partial` or `not_indexed`, if known. */
  readonly search_status: string | null;
  /**
   * `false` if a rule or limit leaves the object out of the index. `reason` names it. Null if
   * unknown.
   */
  readonly indexable: boolean | null;
  /**
   * Why the object or part of it is not indexed. Also mentions a guessed encoding of an indexed
   * text.
   */
  readonly reason: string | null;
  /** Identity of a directory. If it repeats along a path, links form a loop. */
  readonly real_id: string | null;
}

export interface LsResponse {
  /** The entries of the folder. For an object, only the object itself. */
  readonly entries: readonly LsEntry[];
  /** Capabilities of the source. */
  readonly capabilities: {
    /** How the source can be synced. */
    readonly sync: {
      /** The connector reports changes instead of listing everything. */
      readonly incremental: boolean;
      /** `add` accepts `since`. */
      readonly since: boolean;
    };
    /** How objects of the source can be read. */
    readonly object: {
      /** Objects have bytes. */
      readonly read: boolean;
      /** Objects consist of records. */
      readonly records: boolean;
      /** Objects have a stable order, so `tail` works. */
      readonly tail: boolean;
      /** The source can search for lines itself. */
      readonly grep: boolean;
    };
  };
}

export interface ManifestRequest {
  /** Name of the machine with the files: letters, digits, `.`, `_` and `-`. `local` is reserved. */
  readonly client_id: string;
  /** Absolute path of the folder on the machine. */
  readonly root: string;
  /** All files with their file system metadata. The client need not read them. */
  readonly files?:
    | readonly {
        /** Path relative to the root, separated by `/`. */
        readonly path: string;
        /** Size in bytes. */
        readonly size: number;
        /** Modification time in nanoseconds since 1970, as a number or string. */
        readonly mtime_ns: number | string;
        /** Inode as a number or string, if there is one. */
        readonly inode?: number | string | null | undefined;
      }[]
    | undefined;
}

export interface ManifestResponse {
  /** Root URI of the source. */
  readonly connector_uri: string;
  /** Name of the tree with the files on the server. */
  readonly staging: string;
  /** Paths of files that are new or look changed. Send their SHA-1. */
  readonly need_sha1: readonly string[];
  /** Stored files among `need_sha1`. If the SHA-1 is equal, do not send the bytes. */
  readonly stored: readonly {
    /** Path relative to the root, separated by `/`. */
    readonly path: string;
    /** SHA-1 of the bytes, in hexadecimal. */
    readonly sha1: string;
  }[];
  /** Stored files that the manifest lacks: deleted, or renamed to a path with the same SHA-1. */
  readonly deletion_candidates: readonly {
    /** Path relative to the root, separated by `/`. */
    readonly path: string;
    /** Size in bytes. */
    readonly size: number;
    /** Inode as sent by the client. Null if none was sent. */
    readonly inode: number | string | null;
    /** SHA-1 of the bytes, in hexadecimal. */
    readonly sha1: string;
  }[];
}

/** The source to move, and its new place. */
export interface MoveRequest {
  /** The root of a registered source. */
  readonly target: string;
  /** Its new place: an absolute path or a URI with the scheme of the source. */
  readonly to: string;
  /**
   * Changes of the configuration: an omitted key stays, and `null` removes it. The schedule consists
   * of such keys.
   */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** Also move to a place that lacks most objects of the source. */
  readonly force?: boolean | undefined;
}

export interface MoveResponse {
  /** The new URI of the source. */
  readonly target: string;
  /** Its former URI. */
  readonly moved_from: string;
  /** The job that gives the index the new URIs, and then syncs the source. */
  readonly job_id: string;
  /** Other sources that contain the new place or lie in it. */
  readonly overlaps: readonly string[];
  /** Advice for the user. */
  readonly warnings: readonly string[];
}

export interface ObjectMeta {
  /** Canonical URI of the object. */
  readonly source: string;
  /** Media type, if known. */
  readonly media_type: string | null;
  /** Size in bytes, if known. */
  readonly size_hint: number | null;
  /** Changes when the object changes. Null if the source has no fingerprints. */
  readonly fingerprint: string | null;
  /** Always empty. */
  readonly content: '';
}

export type OpenApiDocument = Readonly<Record<string, unknown>>;

export interface OutlineEntry {
  /** The line of the heading or name. */
  readonly line: number;
  /** The last line of the section or definition. */
  readonly end: number;
  /** The heading or the signature on one line, indented as in the text. */
  readonly text: string;
  /** The defined name or the title, if known. */
  readonly name: string | null;
  /** 1 for the outermost headings or definitions. */
  readonly level: number;
}

export interface ProbeRequest {
  /** Path or URI of a source. */
  readonly target: string;
  /** Configuration of the connector, as for `add`. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
  /** Estimate only objects that changed since this date. */
  readonly since?: string | null | undefined;
}

export interface ProbeResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** URI scheme of the source, such as `file`. */
  readonly type: string;
  /** The source can be reached. */
  readonly ok: boolean;
  /** The finding, or why the source cannot be reached. */
  readonly detail: string;
  /**
   * The error code if the source cannot be used now. A source that is `rate_limited` can be added,
   * and its sync waits.
   */
  readonly code: string | null;
  /** Milliseconds until the source may be asked again, if it named a time. */
  readonly retry_after_ms: number | null;
}

export interface ReadBatchResponse {
  /** One result for each read, in the same order. */
  readonly results: readonly (BatchedReadSuccess | BatchFailure)[];
}

export interface Ready {
  /** Always ready. */
  readonly status: 'ready';
  /**
   * Codes of problems that do not prevent reading: `disk_low` (a disk of the server has less than
   * 500 MB left). Later versions may add values.
   */
  readonly warnings: readonly string[];
}

export interface RecognisedSource {
  /** The name of the kind of source. */
  readonly name: string;
  /** The URI scheme of the source. */
  readonly scheme: string;
  /** The target to add. */
  readonly target: string;
  /** Settings that follow from the address. */
  readonly config: Readonly<Record<string, unknown>>;
}

export interface RemoveResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** `true` after the source and its data were removed. */
  readonly removed: boolean;
}

/** What the reranker did. Null if none ranked the hit. */
export type RerankerExplanation = {
  /** Its score, as in `metadata.scores`. */
  readonly score: number;
  /** The rank that it gave the hit, from 1. */
  readonly rank: number;
} | null;

export interface ResultEnvelope {
  /** URI of the object, for `cat`, `head`, `tail` and `export`. */
  readonly source: string;
  /** The text of the chunk. */
  readonly content: string;
  /** Relevance score from 0 to 1. A perfect match is near 1. */
  readonly score: number | null;
  /** Pass it to `cat` to read this part. */
  readonly locator: Readonly<Record<string, unknown>> | null;
  /** Metadata of the chunk and its object. */
  readonly metadata: {
    /**
     * `definition`: code that defines a name of the query or begins with a definition. `record`: a
     * row, a message thread or another record. `text`: everything else.
     */
    readonly kind: 'definition' | 'test' | 'commit' | 'documentation' | 'record' | 'text';
    /** Kind of the chunk, as in the parameter `kind`. */
    readonly chunk_kind: string;
    /** URI scheme of the source, such as `file`. */
    readonly connector_type: string;
    /** Media type of the object, if known. */
    readonly media_type: string | null;
    /** Title of the object, if it has one. */
    readonly title: string | null;
    /** Time of the last change, as an ISO date and time. */
    readonly modified_at: string | null;
    /** URL of its web page. */
    readonly url: string | null;
    /** Name of the author. */
    readonly author: string | null;
    /** URIs of other objects with the same text, at most 100. */
    readonly also: readonly string[];
    /** Why the score was lowered, or null. See the parameter `demote`. */
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
    /** Other metadata. Filters can use these names. */
    readonly fields: Readonly<Record<string, unknown>>;
    /**
     * Scores by meaning (`dense`), by words (`sparse`) and of the reranker (`rerank`). Null where the
     * hit has none. For tokens with paths, scores that depend on hidden objects are null.
     */
    readonly scores: {
      /** Cosine similarity. */
      readonly dense: number | null;
      /** BM25. */
      readonly sparse: number | null;
      /**
       * Score of the model in `[rerank]`, which determines the order. Null if the model was not used or
       * failed.
       */
      readonly rerank: number | null;
    };
  };
  /**
   * How the rank and the score of the hit came about. Present only with `explain`. For tokens with
   * paths, numbers that depend on hidden objects are null.
   */
  readonly explanation?: HitExplanation | undefined;
}

export interface RevokedToken {
  /** Name of the token. */
  readonly name: string;
  /** Number of ended tokens: the current one and replaced ones. */
  readonly revoked: number;
}

export interface RotateTokenRequest {
  /** Seconds for which the replaced token stays valid. */
  readonly overlap_s?: number | undefined;
}

/**
 * When to sync the source. Changes only these keys of its configuration: an omitted key stays, and
 * `null` removes it. Requires `update` for a registered source.
 */
export type ScheduleChange = {
  /** Interval from `15m` to `30d`, such as `6h`. */
  readonly every?: string | null | undefined;
  /** Cron expression of five fields, in the time zone of the server. Not with `every`. */
  readonly cron?: string | null | undefined;
  /** Only times in this part of the day, such as `22:00-06:00`. */
  readonly hours?: string | null | undefined;
  /** Sync whenever the source changes. */
  readonly watch?: boolean | null | undefined;
  /** Sync only on request. The schedule and `watch` have no effect meanwhile. */
  readonly paused?: boolean | null | undefined;
} | null;

/** A source, and the changes of its schedule. */
export interface ScheduleRequest {
  /** The root of a registered source. */
  readonly target: string;
  /** Interval from `15m` to `30d`, such as `6h`. */
  readonly every?: string | null | undefined;
  /** Cron expression of five fields, in the time zone of the server. Not with `every`. */
  readonly cron?: string | null | undefined;
  /** Only times in this part of the day, such as `22:00-06:00`. */
  readonly hours?: string | null | undefined;
  /** Sync whenever the source changes. */
  readonly watch?: boolean | null | undefined;
  /** Sync only on request. The schedule and `watch` have no effect meanwhile. */
  readonly paused?: boolean | null | undefined;
}

export interface ScheduleResponse {
  /** Canonical URI of the source. */
  readonly target: string;
  /** The source is synced only on request. */
  readonly paused: boolean;
  /** Next time of the schedule. Null without a schedule, and while it is paused. */
  readonly next_sync_at: string | null;
}

export interface SearchBatchResponse {
  /** One result for each search, in the same order. */
  readonly results: readonly (BatchedSearchSuccess | BatchFailure)[];
}

export interface SearchResponse {
  /** Best first. */
  readonly results: readonly ResultEnvelope[];
  /** True if hits were left out or shortened because of `max_bytes`. */
  readonly truncated?: boolean | undefined;
  /** The `offset` of the first hit that was left out. */
  readonly next_offset?: number | undefined;
  /** Why `path` is not searched, such as the rule that ignores it. Present only without hits. */
  readonly reason?: string | undefined;
  /** Present only if the search was repeated with corrected spelling. */
  readonly metadata?:
    | {
        /** The corrected query. */
        readonly showing_results_for: string;
        /** The assumed typing errors. */
        readonly corrections: readonly {
          /** A word that does not occur in the index. */
          readonly word: string;
          /** The words that replaced it, each one letter different, most frequent first. */
          readonly replacements: readonly string[];
        }[];
      }
    | undefined;
}

/** Retrieval by vectors. Null if the search did not use vectors. */
export type SemanticExplanation = {
  /** Rank among the candidates of this arm, from 1. Null if it did not return the hit. */
  readonly rank: number | null;
  /** BM25 or the cosine similarity. */
  readonly score: number | null;
  /** The score scaled to 0 to 1 over the best 100 candidates of the arm. */
  readonly scaled: number | null;
  /** Weight of the scaled score in `ranking_score`, 0 to 1. */
  readonly weight: number;
} | null;

export interface ServerInfo {
  /** Version of the server. */
  readonly version: string;
  /** Stable id of the machine. */
  readonly machine_id: string;
  /**
   * Namespace of the server. Servers with different namespaces can share a database without sharing
   * data.
   */
  readonly namespace: string;
  /** Version of the routes: `v1`. */
  readonly api_version: string;
  /** Capabilities of the server. */
  readonly capabilities: {
    /** URI schemes of the sources that can be added. */
    readonly schemes: readonly string[];
  };
  /** The access of the caller. */
  readonly access: CallerAccess;
}

export interface SourceChange {
  /** URI of the source. */
  readonly target: string;
  /** How the source differs from the desired state. */
  readonly action: 'add' | 'update' | 'remove' | 'none';
  /** The keys of the configuration that differ. */
  readonly keys: readonly string[];
  /** The job that syncs the source, if any. */
  readonly job_id: string | null;
  /** The error code if the change is impossible. Other changes are made. */
  readonly error: string | null;
  /** The error in words. */
  readonly detail: string | null;
}

export interface SourceDefinition {
  /** Path or URI of the source. */
  readonly target: string;
  /** Its configuration. A value `***` keeps the value that the server has. */
  readonly config?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface SourceKind {
  /** The URI schemes of these sources, the proposed one first. */
  readonly schemes: readonly string[];
  /** The name for people: `Jira`. */
  readonly name: string;
  /** What is indexed: `issues with comments`. */
  readonly content: string | null;
  /** The rights that the login needs. */
  readonly rights: string | null;
}

export interface SourceKinds {
  /** The kinds of sources that can be added, by name. */
  readonly kinds: readonly SourceKind[];
  /** The sources that `address` may mean, the most specific one first. */
  readonly recognised: readonly RecognisedSource[];
}

/** How a source with `watch = true` is kept up to date. Null if this process does not watch it. */
export type SourceWatch = {
  /**
   * `events` (the source reports changes) or `polling` (the source is synced at intervals). Later
   * versions may add values.
   */
  readonly by: string;
  /** Seconds between these syncs. Null with `events`. */
  readonly every_seconds: number | null;
  /** Reason for polling and remedy, for people. Null with `events`. */
  readonly detail: string | null;
} | null;

export interface StatusResponse {
  /** The registered sources. */
  readonly connectors: readonly ConnectorRow[];
  /** The embedder of the index. */
  readonly embedding: EmbeddingUse;
  /** Number of jobs by status. */
  readonly jobs: Readonly<Record<string, number>>;
  /** Bytes that the server stores on its disk or in a database, up to a minute old. Null if unknown. */
  readonly disk: DiskUse;
  /** The disks that the server writes to, each once, up to 5 s old. */
  readonly disk_space: readonly DiskSpace[];
}

export interface SymbolDefinition {
  /** URI of the object. */
  readonly source: string;
  /** First and last line of the definition. */
  readonly lines: readonly number[];
  /** The signature on one line. */
  readonly signature: string;
  /** What the name is. */
  readonly kind:
    | 'class'
    | 'interface'
    | 'struct'
    | 'trait'
    | 'enum'
    | 'type'
    | 'module'
    | 'macro'
    | 'function'
    | 'method'
    | 'constant'
    | 'variable';
  /** The programming language, if known. */
  readonly language: string | null;
}

export interface SymbolReference {
  /** URI of the object. */
  readonly source: string;
  /** Number of the line. */
  readonly line: number;
  /** The line. */
  readonly text: string;
}

export interface SymbolsResponse {
  /** The name that was looked up. */
  readonly name: string;
  /** The definitions, best first. Empty on pages after the first. */
  readonly definitions: readonly SymbolDefinition[];
  /** Lines that contain the name as a whole word, without the lines that define it. */
  readonly references: readonly SymbolReference[];
  /** There are more definitions or references, or not everything was searched. */
  readonly truncated: boolean;
  /** Cursor for the following references. Null if there are none. */
  readonly next: string | null;
}

export interface TokenInfo {
  /** The public part of the token. */
  readonly id: string;
  /** Name of the token. */
  readonly name: string;
  /** `read`, `sync` or `admin`. Later versions may add values. */
  readonly rights: string;
  /** Canonical URIs of what the token sees. Null: everything. */
  readonly paths: readonly string[] | null;
  /** When the token was created. */
  readonly created_at: string;
  /** When the token was last used, to the minute. Null if never. */
  readonly last_used_at: string | null;
  /** When the token ends or has ended. Null: never. */
  readonly ends_at: string | null;
  /** Whether a newer token with this name exists. This one is valid until it ends. */
  readonly is_replaced: boolean;
}

export interface TokensResponse {
  /** The tokens by name, also ended ones. The token of the server is not among them. */
  readonly tokens: readonly TokenInfo[];
}

export interface TopLevelEntry {
  /** Name of the entry in the source. */
  readonly name: string;
  /** The entry is a folder. */
  readonly is_folder: boolean;
  /** Objects in the entry that would be indexed. */
  readonly objects: number;
  /** Listed objects in the entry that would not be indexed. */
  readonly left_out: number;
}
