import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { acceptRequest } from '@trove/runtime';
import {
  addDocumentsRequestSchema,
  documentsQuerySchema,
  importRequestSchema,
  documentParamsSchema,
  neighborsQuerySchema,
  graphQuerySchema,
  queryRequestSchema,
  uploadFieldsSchema,
  type GraphBuild,
  type GraphSettings,
} from './api/schemas.js';
import type { BuildService } from './build/build-service.js';
import type { RunningBuilds } from './build/running-builds.js';
import type { GraphCallOptions, Graphs } from './graphs.js';
import type { GraphCache } from './loaded/graph-cache.js';
import type { DocumentService } from './query/document-service.js';
import type { QueryService } from './query/query-service.js';
import { collectionName } from './storage/collections.js';
import type { GraphStorage } from './storage/graph-storage.js';

/** The services behind the operations. */
export interface GraphServices {
  readonly storage: GraphStorage;
  readonly cache: GraphCache;
  /** The running builds of this process. */
  readonly running: RunningBuilds;
  readonly builds: BuildService;
  readonly queries: QueryService;
  readonly documents: DocumentService;
}

/** Runs an operation until the graphs close. */
export type GraphCall = <A>(
  callOptions: GraphCallOptions | undefined,
  use: (call: {
    readonly signal: AbortSignal;
    readonly onProgress: GraphCallOptions['onProgress'];
  }) => Promise<A>,
) => Promise<A>;

/** Creates the operations. Each validates its request and calls one service. */
export function operations(
  { storage, cache, running, builds, queries, documents }: GraphServices,
  defaultGraph: string,
  settings: () => Promise<GraphSettings>,
  call: GraphCall,
): Graphs {
  const nameOf = (name: string): string =>
    accept(graphQuerySchema, { graph_name: name }, '').graph_name || defaultGraph;
  const idOf = (id: string): string =>
    accept(documentParamsSchema, { document_id: id }, '').document_id;
  return {
    settings,
    graphs: (callOptions) =>
      call(callOptions, async () => {
        const [graphs, collections] = await Promise.all([storage.graphs(), storage.collections()]);
        return {
          graphs: graphs.map(({ name }) => {
            const entities = collectionName(name, 'entities');
            const relations = collectionName(name, 'relations');
            const passages = collectionName(name, 'passages');
            return {
              name,
              entity_collection: entities,
              relation_collection: relations,
              passage_collection: passages,
              has_all_collections: [entities, relations, passages].every((each) =>
                collections.has(each),
              ),
            };
          }),
        };
      }),
    deleteGraph: (graph, callOptions) =>
      call(callOptions, async () => {
        const name = nameOf(graph);
        await storage.delete(name);
        cache.evict(name);
        return { success: true, message: `Deleted the graph ${name}` };
      }),
    stats: (graph, callOptions) =>
      call(callOptions, async () => {
        const { name, entities, relations, passages } = await storage.graph(nameOf(graph));
        return {
          graph_name: name,
          entity_count: entities,
          relation_count: relations,
          passage_count: passages,
        };
      }),
    build: (graph, callOptions) =>
      call(callOptions, async () => buildResponse(nameOf(graph), running)),
    addDocuments: (graph, request, callOptions) =>
      call(callOptions, async (options) =>
        builds.addDocuments(
          nameOf(graph),
          accept(addDocumentsRequestSchema, request, 'body'),
          options,
        ),
      ),
    upsertDocuments: (graph, request, callOptions) =>
      call(callOptions, async (options) =>
        builds.upsert(nameOf(graph), accept(addDocumentsRequestSchema, request, 'body'), options),
      ),
    deleteDocuments: (graph, ids, callOptions) =>
      call(callOptions, async (options) => builds.remove(nameOf(graph), ids, options)),
    importSources: (request, callOptions) =>
      call(callOptions, async (options) => {
        const { sources, ...rest } = accept(importRequestSchema, request, 'body');
        return builds.importSources(nameOf(rest.graph_name), sources, rest, options);
      }),
    upload: (files, request = {}, callOptions) =>
      call(callOptions, async (options) => {
        const accepted = accept(uploadFieldsSchema, request, 'body');
        return builds.upload(nameOf(accepted.graph_name), files, accepted, options);
      }),
    documents: (query, callOptions) =>
      call(callOptions, async ({ signal: until }) => {
        const accepted = accept(documentsQuerySchema, query, 'query');
        return documents.documents(nameOf(accepted.graph_name), accepted, until);
      }),
    document: (graph, id, callOptions) =>
      call(callOptions, async ({ signal: until }) =>
        documents.document(nameOf(graph), idOf(id), until),
      ),
    query: (graph, request, callOptions) =>
      call(callOptions, async ({ signal: until }) =>
        queries.query(nameOf(graph), accept(queryRequestSchema, request, 'body'), until),
      ),
    neighbors: (graph, entityId, limit, callOptions) =>
      call(callOptions, async ({ signal: until }) => {
        const bounds = accept(neighborsQuerySchema, limit === undefined ? {} : { limit }, 'query');
        return documents.neighbors(nameOf(graph), idOf(entityId), bounds.limit, until);
      }),
  };
}

function buildResponse(name: string, builds: RunningBuilds): GraphBuild {
  const progress = builds.of(name);
  if (progress === null) {
    throw new TroveError('not_found', `This server is not building the graph ${name}`, {
      suggestions: [
        'Ask the server that builds it, or read the statistics of the graph if the build has ended.',
      ],
    });
  }
  return {
    graph_name: name,
    started_at: progress.startedAt.toISOString(),
    num_passages: progress.passages,
    total_passages: progress.total,
  };
}

function accept<const S extends JsonSchema>(schema: S, value: unknown, place: string): Infer<S> {
  return acceptRequest(schema, value, place);
}
