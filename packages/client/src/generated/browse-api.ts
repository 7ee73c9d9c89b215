// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import type { CatResponse, LsResponse, ObjectMeta } from './models.js';

/** Of `ls`. */
export interface LsParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
}

/** Of `cat`. */
export interface CatParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /**
   * Lines `start:end`, or records of a table, counting from 1, both included. `10:` and `:20` work
   * too.
   */
  readonly range?: string | undefined;
  /**
   * Bytes `start:end` of a large text, counting from 0, without the end; at most 1 MiB. Characters
   * that these cut are left out.
   */
  readonly bytes?: string | undefined;
  /** A search hit's locator, as JSON. */
  readonly locator?: string | undefined;
  /** Facts about the object instead of its content. */
  readonly meta?: boolean | undefined;
  /**
   * peek: headings and signatures, each with its line number; skim: those and the first line under
   * each; deep: everything.
   */
  readonly density?: 'peek' | 'skim' | 'deep' | undefined;
}

/** Of `head`. */
export interface HeadParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /** Number of lines or records. */
  readonly n?: number | undefined;
}

/** Of `tail`. */
export interface TailParameters {
  /** Path or URI of a source, a folder in it, or an object. */
  readonly path: string;
  /** Number of lines or records. */
  readonly n?: number | undefined;
}

/** Of `export`. */
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
   * What is in a folder
   *
   * `ls` of a file lists that one file.
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
   * An object's text, a part of it, or facts about it
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
        },
      },
      options,
    );
  }

  /**
   * The first lines or records of an object
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
   * The last lines or records of an object
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
   * All of an object's text, whatever its size
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
