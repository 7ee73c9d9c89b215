// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import { pathSegment } from '../runtime/request.js';
import type {
  AddDocumentsRequest,
  AddDocumentsResponse,
  GraphBuild,
  GraphDeleted,
  GraphDocument,
  GraphDocuments,
  GraphHealth,
  GraphNeighbors,
  GraphQueryRequest,
  GraphQueryResponse,
  GraphSettings,
  GraphStats,
  GraphsResponse,
  ImportRequest,
  ImportResponse,
} from './models.js';

/** The parameters of `addDocuments`. */
export interface AddDocumentsParameters {
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name?: string | undefined;
  readonly body: AddDocumentsRequest;
}

/** The parameters of `importSources`. */
export interface ImportSourcesParameters {
  readonly body: ImportRequest;
}

/** The parameters of `uploadDocuments`. */
export interface UploadDocumentsParameters {
  readonly body: {
    /** The files, each with its name. */
    readonly files: readonly Blob[];
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
  };
}

/** The parameters of `graphBuild`. */
export interface GraphBuildParameters {
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name?: string | undefined;
}

/** The parameters of `listDocuments`. */
export interface ListDocumentsParameters {
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name: string;
  /** Topic of the documents. Empty returns all documents in a stable order. */
  readonly query?: string | undefined;
  /** Maximum number of documents. */
  readonly top_k?: number | undefined;
  /** Number of documents to skip. */
  readonly offset?: number | undefined;
}

/** The parameters of `getDocument`. */
export interface GetDocumentParameters {
  /** An id from another response. */
  readonly document_id: string;
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name: string;
}

/** The parameters of `queryGraph`. */
export interface QueryGraphParameters {
  /**
   * Up to 64 letters, digits, underscores and hyphens. Empty for the graph in
   * `[graph].default_graph`.
   */
  readonly graph_name: string;
  readonly body: GraphQueryRequest;
}

/** The parameters of `graphStats`. */
export interface GraphStatsParameters {
  /** 1 to 64 letters, digits, underscores and hyphens. */
  readonly graph_name: string;
}

/** The parameters of `graphNeighbors`. */
export interface GraphNeighborsParameters {
  /** 1 to 64 letters, digits, underscores and hyphens. */
  readonly graph_name: string;
  /** The id of an entity, or its name in any spelling. */
  readonly entity_id: string;
  /** Maximum number of neighbors. */
  readonly limit?: number | undefined;
}

/** The parameters of `deleteGraph`. */
export interface DeleteGraphParameters {
  /** 1 to 64 letters, digits, underscores and hyphens. */
  readonly graph_name: string;
}

/** The operations of the API that are tagged Graph. */
export class GraphApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Check that the server is running, and get its version
   *
   * `GET /health`
   */
  graphHealth(options?: CallOptions): Promise<GraphHealth> {
    return this.#http.json<GraphHealth>({ method: 'GET', path: '/health' }, options);
  }

  /**
   * List graphs
   *
   * `GET /graphs`
   */
  listGraphs(options?: CallOptions): Promise<GraphsResponse> {
    return this.#http.json<GraphsResponse>({ method: 'GET', path: '/graphs' }, options);
  }

  /**
   * Get the settings for building and querying graphs, without secrets
   *
   * `GET /settings`
   */
  graphSettings(options?: CallOptions): Promise<GraphSettings> {
    return this.#http.json<GraphSettings>({ method: 'GET', path: '/settings' }, options);
  }

  /**
   * Build a graph from texts
   *
   * The body may have up to 64 MiB. The new graph replaces the old one when it is complete. Until
   * then, queries use the old one.
   *
   * `POST /add_documents`
   */
  addDocuments(
    parameters: AddDocumentsParameters,
    options?: CallOptions,
  ): Promise<AddDocumentsResponse> {
    return this.#http.json<AddDocumentsResponse>(
      {
        method: 'POST',
        path: '/add_documents',
        query: { graph_name: parameters.graph_name },
        json: parameters.body,
      },
      options,
    );
  }

  /**
   * Build a graph from web pages, files, folders and registered sources
   *
   * `errors` lists documents that could not be loaded. All others are imported. The new graph
   * replaces the old one when it is complete. Until then, queries use the old one.
   *
   * `POST /import`
   */
  importSources(
    parameters: ImportSourcesParameters,
    options?: CallOptions,
  ): Promise<ImportResponse> {
    return this.#http.json<ImportResponse>(
      { method: 'POST', path: '/import', json: parameters.body },
      options,
    );
  }

  /**
   * Build a graph from uploaded files
   *
   * At most 100 files with a total of `[uploads].max_bytes`. `errors` lists files that could not be
   * read. All others are imported. The new graph replaces the old one when it is complete. Until
   * then, queries use the old one.
   *
   * `POST /upload`
   */
  uploadDocuments(
    parameters: UploadDocumentsParameters,
    options?: CallOptions,
  ): Promise<ImportResponse> {
    return this.#http.json<ImportResponse>(
      { method: 'POST', path: '/upload', form: parameters.body },
      options,
    );
  }

  /**
   * Get the progress of a graph build
   *
   * Only the server that builds the graph knows the progress. Other servers respond with 404.
   *
   * `GET /build`
   */
  graphBuild(parameters: GraphBuildParameters = {}, options?: CallOptions): Promise<GraphBuild> {
    return this.#http.json<GraphBuild>(
      { method: 'GET', path: '/build', query: { graph_name: parameters.graph_name } },
      options,
    );
  }

  /**
   * List the documents of a graph, or those on a topic
   *
   * `GET /documents`
   */
  listDocuments(
    parameters: ListDocumentsParameters,
    options?: CallOptions,
  ): Promise<GraphDocuments> {
    return this.#http.json<GraphDocuments>(
      {
        method: 'GET',
        path: '/documents',
        query: {
          graph_name: parameters.graph_name,
          query: parameters.query,
          top_k: parameters.top_k,
          offset: parameters.offset,
        },
      },
      options,
    );
  }

  /**
   * Get a document
   *
   * `GET /documents/{document_id}`
   */
  getDocument(parameters: GetDocumentParameters, options?: CallOptions): Promise<GraphDocument> {
    return this.#http.json<GraphDocument>(
      {
        method: 'GET',
        path: `/documents/${pathSegment('document_id', parameters.document_id)}`,
        query: { graph_name: parameters.graph_name },
      },
      options,
    );
  }

  /**
   * Answer a question from a graph
   *
   * Without a language model, the answer quotes the best matching sentences, each with the id of its
   * passage. With the header `Trove-Graph-Answers: classic`, `query_entities` is a list of names and
   * `retrieved_passages` a list of texts, as clients of the original expect.
   *
   * `POST /query`
   */
  queryGraph(parameters: QueryGraphParameters, options?: CallOptions): Promise<GraphQueryResponse> {
    return this.#http.json<GraphQueryResponse>(
      {
        method: 'POST',
        path: '/query',
        query: { graph_name: parameters.graph_name },
        json: parameters.body,
      },
      options,
    );
  }

  /**
   * Get the size of a graph
   *
   * `GET /graph/{graph_name}/stats`
   */
  graphStats(parameters: GraphStatsParameters, options?: CallOptions): Promise<GraphStats> {
    return this.#http.json<GraphStats>(
      { method: 'GET', path: `/graph/${pathSegment('graph_name', parameters.graph_name)}/stats` },
      options,
    );
  }

  /**
   * Get the neighbors of an entity
   *
   * `GET /graph/{graph_name}/neighbors/{entity_id}`
   */
  graphNeighbors(
    parameters: GraphNeighborsParameters,
    options?: CallOptions,
  ): Promise<GraphNeighbors> {
    return this.#http.json<GraphNeighbors>(
      {
        method: 'GET',
        path: `/graph/${pathSegment('graph_name', parameters.graph_name)}/neighbors/${pathSegment('entity_id', parameters.entity_id)}`,
        query: { limit: parameters.limit },
      },
      options,
    );
  }

  /**
   * Delete a graph with its collections
   *
   * `DELETE /graph/{graph_name}`
   */
  deleteGraph(parameters: DeleteGraphParameters, options?: CallOptions): Promise<GraphDeleted> {
    return this.#http.json<GraphDeleted>(
      { method: 'DELETE', path: `/graph/${pathSegment('graph_name', parameters.graph_name)}` },
      options,
    );
  }
}
