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
  /** Aborting it ends the call with the signal's reason; a graph that is being built stays as it was. */
  readonly signal?: AbortSignal;
  /** Called again and again while a graph is being built. */
  readonly onProgress?: () => void;
}

/**
 * Named knowledge graphs. An empty name is the default graph. Every method validates its input (`validation_error`) and
 * throws only TroveErrors, except for an aborted call's own reason.
 */
export interface Graphs {
  /** What is configured; secrets only as booleans. It goes on answering when everything closes. */
  settings(): Promise<GraphSettings>;
  /** All graphs, by name. */
  graphs(options?: GraphCallOptions): Promise<GraphsResponse>;
  /** Throws `not_found` and `graph_busy`. */
  deleteGraph(graphName: string, options?: GraphCallOptions): Promise<GraphDeleted>;
  /** Throws `not_found`. */
  stats(graphName: string, options?: GraphCallOptions): Promise<GraphStats>;
  /** How far the build of a graph is that this process is at. Throws `not_found` when it is at none. */
  build(graphName: string, options?: GraphCallOptions): Promise<GraphBuild>;
  /**
   * Replaces the graph by one of these documents; whatever goes wrong, it stays as it was. Throws `graph_busy`,
   * `payload_too_large` and `index_mismatch`.
   */
  addDocuments(
    graphName: string,
    request: AddDocumentsInput,
    options?: GraphCallOptions,
  ): Promise<AddDocumentsResponse>;
  /**
   * Adds documents, whose ids are required, and replaces those with the same ids in their places: the graph is then as if
   * it had been built from all of them. Nothing is extracted from the others again. Throws as `addDocuments` does.
   */
  upsertDocuments(
    graphName: string,
    request: AddDocumentsInput,
    options?: GraphCallOptions,
  ): Promise<AddDocumentsResponse>;
  /** The same without some documents; unknown ids are ignored. Throws `not_found`, and `validation_error` for all of them. */
  deleteDocuments(
    graphName: string,
    ids: readonly string[],
    options?: GraphCallOptions,
  ): Promise<void>;
  /** Replaces the graph as `addDocuments` does, with documents from URLs, local paths and registered sources. */
  importSources(request: ImportInput, options?: GraphCallOptions): Promise<ImportResponse>;
  /** The same with files. */
  upload(
    files: readonly UploadedFile[],
    request?: ImportOptionsInput,
    options?: GraphCallOptions,
  ): Promise<ImportResponse>;
  /**
   * The documents of a graph, in the order in which they were added or, with a query, the best first. Throws `not_found`
   * and, with a query, `embedding_unavailable`.
   */
  documents(query: DocumentsQuery, options?: GraphCallOptions): Promise<GraphDocuments>;
  /** Throws `not_found`. */
  document(graphName: string, id: string, options?: GraphCallOptions): Promise<GraphDocument>;
  /** Throws `not_found`, `filter_invalid` and `embedding_unavailable`. */
  query(graphName: string, request: QueryInput, options?: GraphCallOptions): Promise<QueryResponse>;
  /** The entities next to one. Throws `not_found`. */
  neighbors(
    graphName: string,
    entityId: string,
    limit?: number,
    options?: GraphCallOptions,
  ): Promise<NeighborsResponse>;
}
