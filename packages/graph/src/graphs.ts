import type {
  AddDocumentsInput,
  AddDocumentsResponse,
  DocumentsQuery,
  GraphBuild,
  GraphDeleted,
  GraphDocument,
  GraphDocuments,
  GraphSettings,
  GraphsResponse,
  GraphStats,
  ImportInput,
  ImportOptionsInput,
  ImportResponse,
  NeighborsResponse,
  QueryInput,
  QueryResponse,
} from './api/schemas.js';
import type { UploadedFile } from './sources/document-loader.js';

export interface GraphCallOptions {
  /** Aborts the call with the signal's reason. An interrupted build leaves the graph unchanged. */
  readonly signal?: AbortSignal;
  /** Called regularly during a build. */
  readonly onProgress?: () => void;
}

/**
 * Named knowledge graphs. An empty name is the default graph. Every method validates its input (`validation_error`) and
 * throws only TroveErrors, except for the reason of an aborted call.
 */
export interface Graphs {
  /** Returns the configuration without secrets. Also answers while the engine closes. */
  settings(): Promise<GraphSettings>;
  /** Returns all graphs, by name. */
  graphs(options?: GraphCallOptions): Promise<GraphsResponse>;
  /** Throws `not_found` and `graph_busy`. */
  deleteGraph(graphName: string, options?: GraphCallOptions): Promise<GraphDeleted>;
  /** Throws `not_found`. */
  stats(graphName: string, options?: GraphCallOptions): Promise<GraphStats>;
  /** Returns the progress of a build in this process. Throws `not_found` if there is none. */
  build(graphName: string, options?: GraphCallOptions): Promise<GraphBuild>;
  /**
   * Replaces the graph with one built from these documents. Leaves it unchanged on failure. Throws `graph_busy`,
   * `payload_too_large` and `index_mismatch`.
   */
  addDocuments(
    graphName: string,
    request: AddDocumentsInput,
    options?: GraphCallOptions,
  ): Promise<AddDocumentsResponse>;
  /**
   * Adds documents with ids, and replaces documents with the same ids in place. The result equals a build from all
   * documents, but only the new ones are extracted. Throws like `addDocuments`.
   */
  upsertDocuments(
    graphName: string,
    request: AddDocumentsInput,
    options?: GraphCallOptions,
  ): Promise<AddDocumentsResponse>;
  /**
   * Removes documents and ignores unknown ids. Throws `not_found`, and `validation_error` if no document would be left.
   */
  deleteDocuments(
    graphName: string,
    ids: readonly string[],
    options?: GraphCallOptions,
  ): Promise<void>;
  /** Replaces the graph with documents from URLs, local paths and registered sources. Throws like `addDocuments`. */
  importSources(request: ImportInput, options?: GraphCallOptions): Promise<ImportResponse>;
  /** Replaces the graph with documents from files. Throws like `addDocuments`. */
  upload(
    files: readonly UploadedFile[],
    request?: ImportOptionsInput,
    options?: GraphCallOptions,
  ): Promise<ImportResponse>;
  /**
   * Returns documents in their order or, with a query, best first. Throws `not_found` and, with a query,
   * `embedding_unavailable`.
   */
  documents(query: DocumentsQuery, options?: GraphCallOptions): Promise<GraphDocuments>;
  /** Throws `not_found`. */
  document(graphName: string, id: string, options?: GraphCallOptions): Promise<GraphDocument>;
  /** Throws `not_found`, `filter_invalid` and `embedding_unavailable`. */
  query(graphName: string, request: QueryInput, options?: GraphCallOptions): Promise<QueryResponse>;
  /** Returns the neighbors of an entity. Throws `not_found`. */
  neighbors(
    graphName: string,
    entityId: string,
    limit?: number,
    options?: GraphCallOptions,
  ): Promise<NeighborsResponse>;
}
