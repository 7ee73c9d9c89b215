// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type {
  AskRequest,
  AskResponse,
  BatchedSearch,
  GrepResponse,
  SearchBatchResponse,
  SearchResponse,
  SymbolsResponse,
} from './models.js';

/** The parameters of `search`. */
export interface SearchParameters {
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

/** The parameters of `searchBatch`. */
export interface SearchBatchParameters {
  readonly body: {
    /** The searches, each with the parameters of `/v1/search`. */
    readonly queries: readonly BatchedSearch[];
    /**
     * Maximum size of the JSON response. A result that does not fit is replaced by the error
     * `payload_too_large`.
     */
    readonly max_bytes?: number | undefined;
  };
}

/** The parameters of `ask`. */
export interface AskParameters {
  readonly body: AskRequest;
}

/** The parameters of `grep`. */
export interface GrepParameters {
  /** A literal text or, with `regex`, a regular expression. */
  readonly pattern: string;
  /** Search only this source, folder or object. Default: all sources. */
  readonly path?: string | undefined;
  /**
   * Treat the pattern as a regular expression in ripgrep's syntax, with Unicode and look-around,
   * line by line.
   */
  readonly regex?: boolean | undefined;
  /** Ignore case. */
  readonly ignore_case?: boolean | undefined;
  /** Match only whole words. */
  readonly word?: boolean | undefined;
  /** Return the lines that do not match. */
  readonly invert?: boolean | undefined;
  /** Return only the matching parts of lines, one per line, without empty ones. */
  readonly only_matching?: boolean | undefined;
  /**
   * Only objects with a matching path, relative to `path` or the source. Comma-separated
   * `.gitignore` patterns. `{a,b}` are alternatives, `!` excludes, the last match decides.
   */
  readonly glob?: string | undefined;
  /** Only files of these types, such as `ts,py,md`. `!` excludes a type. */
  readonly type?: string | undefined;
  /** Lines to include before and after each match. */
  readonly context?: number | undefined;
  /** Maximum number of matches. */
  readonly limit?: number | undefined;
  /** Maximum number of matches in each object. */
  readonly max_per_object?: number | undefined;
  /**
   * The `next` of the previous response to the same request. Lines of overlapping sources may
   * repeat.
   */
  readonly cursor?: string | undefined;
}

/** The parameters of `symbols`. */
export interface SymbolsParameters {
  /**
   * A name, or a text that contains one: `parse`, `Parser.parse`, `func parse`, `parse()`, `where is
   * parse defined`.
   */
  readonly name: string;
  /** Only this source, folder or object. Default: all sources. */
  readonly path?: string | undefined;
  /** Maximum number of definitions. */
  readonly limit?: number | undefined;
  /** Maximum number of lines that use the name. 0 leaves them out. */
  readonly references?: number | undefined;
  /** The `next` of the previous response to the same request. */
  readonly cursor?: string | undefined;
}

/** The operations of the API that are tagged Retrieval. */
export class RetrievalApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Search by meaning, by words, or both
   *
   * `GET /v1/search`
   */
  search(parameters: SearchParameters, options?: CallOptions): Promise<SearchResponse> {
    return this.#http.json<SearchResponse>(
      {
        method: 'GET',
        path: '/v1/search',
        query: {
          q: parameters.q,
          path: parameters.path,
          mode: parameters.mode,
          top_k: parameters.top_k,
          offset: parameters.offset,
          collapse: parameters.collapse,
          demote: parameters.demote,
          kind: parameters.kind,
          filter: parameters.filter,
          glob: parameters.glob,
          type: parameters.type,
          since: parameters.since,
          until: parameters.until,
          sort: parameters.sort,
          snippet: parameters.snippet,
          max_bytes: parameters.max_bytes,
          explain: parameters.explain,
        },
      },
      options,
    );
  }

  /**
   * Run up to 20 searches in one request
   *
   * An error of a search becomes its result and does not affect the others.
   *
   * `POST /v1/search/batch`
   */
  searchBatch(
    parameters: SearchBatchParameters,
    options?: CallOptions,
  ): Promise<SearchBatchResponse> {
    return this.#http.json<SearchBatchResponse>(
      { method: 'POST', path: '/v1/search/batch', json: parameters.body },
      options,
    );
  }

  /**
   * Answer a question with verified citations
   *
   * Every citation quotes its passage exactly. Without a language model, or if it fails, the answer
   * quotes the sentences that cover the words of the question.
   *
   * `POST /v1/ask`
   */
  ask(parameters: AskParameters, options?: CallOptions): Promise<AskResponse> {
    return this.#http.json<AskResponse>(
      { method: 'POST', path: '/v1/ask', json: parameters.body },
      options,
    );
  }

  /**
   * Find lines that contain a text or match a regular expression
   *
   * A notice in the results names a source that could not be searched.
   *
   * `GET /v1/grep`
   */
  grep(parameters: GrepParameters, options?: CallOptions): Promise<GrepResponse> {
    return this.#http.json<GrepResponse>(
      {
        method: 'GET',
        path: '/v1/grep',
        query: {
          pattern: parameters.pattern,
          path: parameters.path,
          regex: parameters.regex,
          ignore_case: parameters.ignore_case,
          word: parameters.word,
          invert: parameters.invert,
          only_matching: parameters.only_matching,
          glob: parameters.glob,
          type: parameters.type,
          context: parameters.context,
          limit: parameters.limit,
          max_per_object: parameters.max_per_object,
          cursor: parameters.cursor,
        },
      },
      options,
    );
  }

  /**
   * Find the definitions of a name and the lines that use it
   *
   * `GET /v1/symbols`
   */
  symbols(parameters: SymbolsParameters, options?: CallOptions): Promise<SymbolsResponse> {
    return this.#http.json<SymbolsResponse>(
      {
        method: 'GET',
        path: '/v1/symbols',
        query: {
          name: parameters.name,
          path: parameters.path,
          limit: parameters.limit,
          references: parameters.references,
          cursor: parameters.cursor,
        },
      },
      options,
    );
  }
}
