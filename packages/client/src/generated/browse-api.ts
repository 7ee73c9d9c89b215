// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type {
  BatchedRead,
  CatResponse,
  LsResponse,
  ObjectMeta,
  ReadBatchResponse,
} from './models.js';

/** The parameters of `ls`. */
export interface LsParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
}

/** The parameters of `cat`. */
export interface CatParameters {
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

/** The parameters of `readBatch`. */
export interface ReadBatchParameters {
  readonly body: {
    /** The reads, each with the parameters of `/v1/cat`. */
    readonly reads: readonly BatchedRead[];
    /**
     * Maximum size of the JSON response. A result that does not fit is replaced by the error
     * `payload_too_large`.
     */
    readonly max_bytes?: number | undefined;
  };
}

/** The parameters of `head`. */
export interface HeadParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /** Number of lines or records. */
  readonly n?: number | undefined;
}

/** The parameters of `tail`. */
export interface TailParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /** Number of lines or records. */
  readonly n?: number | undefined;
}

/** The parameters of `export`. */
export interface ExportParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
}

/** The operations of the API that are tagged Browse. */
export class BrowseApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List a folder
   *
   * For an object, lists only the object. For a folder above sources, lists the next folders on the
   * way to them.
   *
   * `GET /v1/ls`
   */
  ls(parameters: LsParameters, options?: CallOptions): Promise<LsResponse> {
    return this.#http.json<LsResponse>(
      { method: 'GET', path: '/v1/ls', query: { path: parameters.path } },
      options,
    );
  }

  /**
   * Read the text of an object, a part of it, or its metadata
   *
   * `GET /v1/cat`
   */
  cat(parameters: CatParameters, options?: CallOptions): Promise<CatResponse | ObjectMeta> {
    return this.#http.json<CatResponse | ObjectMeta>(
      {
        method: 'GET',
        path: '/v1/cat',
        query: {
          path: parameters.path,
          range: parameters.range,
          bytes: parameters.bytes,
          locator: parameters.locator,
          meta: parameters.meta,
          density: parameters.density,
          numbers: parameters.numbers,
          context: parameters.context,
          enclosing: parameters.enclosing,
        },
      },
      options,
    );
  }

  /**
   * Read up to 20 objects or parts in one request
   *
   * An error of a read becomes its result and does not affect the others.
   *
   * `POST /v1/read/batch`
   */
  readBatch(parameters: ReadBatchParameters, options?: CallOptions): Promise<ReadBatchResponse> {
    return this.#http.json<ReadBatchResponse>(
      { method: 'POST', path: '/v1/read/batch', json: parameters.body },
      options,
    );
  }

  /**
   * Read the first lines or records of an object
   *
   * `GET /v1/head`
   */
  head(parameters: HeadParameters, options?: CallOptions): Promise<CatResponse> {
    return this.#http.json<CatResponse>(
      { method: 'GET', path: '/v1/head', query: { path: parameters.path, n: parameters.n } },
      options,
    );
  }

  /**
   * Read the last lines or records of an object
   *
   * `GET /v1/tail`
   */
  tail(parameters: TailParameters, options?: CallOptions): Promise<CatResponse> {
    return this.#http.json<CatResponse>(
      { method: 'GET', path: '/v1/tail', query: { path: parameters.path, n: parameters.n } },
      options,
    );
  }

  /**
   * Read the whole text of an object of any size
   *
   * `GET /v1/export`
   */
  export(parameters: ExportParameters, options?: CallOptions): Promise<CatResponse> {
    return this.#http.json<CatResponse>(
      { method: 'GET', path: '/v1/export', query: { path: parameters.path } },
      options,
    );
  }
}
