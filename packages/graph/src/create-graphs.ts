import { isTroveError, TroveError, type Infer, type JsonSchema } from '@trove/core';
import { acceptRequest, withAnySignal, type Foundation } from '@trove/runtime';
import {
  addDocumentsRequestSchema,
  documentsQuerySchema,
  importRequestSchema,
  documentParamsSchema,
  neighborsQuerySchema,
  ofGraphQuerySchema,
  queryRequestSchema,
  uploadFieldsSchema,
  type GraphBuild,
} from './api/schemas.js';
import { assertOverlap, BuildService } from './build/build-service.js';
import { Builds } from './build/builds.js';
import type { GraphCallOptions, Graphs } from './graphs.js';
import { GraphCache } from './loaded/graph-cache.js';
import { GraphModel, type GraphModels } from './model/model.js';
import type { GraphOptions } from './options.js';
import { DocumentService } from './query/document-service.js';
import { QueryService } from './query/query-service.js';
import { Loader } from './sources/documents.js';
import { collectionName } from './storage/collections.js';
import { GraphStorage } from './storage/graph-storage.js';

const GiB = 1024 ** 3;
const MiB = 1024 ** 2;
const minute = 60 * 1000;
const sweepMs = 60 * minute;

/** The graphs of an engine's foundation; they close with it. */
export function createGraphs(foundation: Foundation, options: GraphOptions): Graphs {
  const { embedding, conversions, logger, signal, disposal } = foundation;
  const { defaultGraph = 'default', facts } = options;
  const storage = new GraphStorage(foundation);
  const cache = new GraphCache(storage, options.maxMemoryBytes ?? GiB, signal);
  const models = modelsOf(foundation);
  const loader = new Loader({
    conversions,
    reader: options.reader ?? null,
    privateHosts: options.privateHosts ?? [],
    maxBytes: options.maxDocumentBytes ?? 64 * MiB,
    maxMs: options.maxDocumentMs ?? 10 * minute,
    logger,
  });
  const maxTokens = options.maxTokensPerBuild ?? 1_000_000;
  const running = new Builds();
  const ground = { storage, models, maxTokens, builds: running, logger };
  const builds = new BuildService(ground, cache, loader);
  const queries = new QueryService({ storage, cache, embedding, models });
  const documents = new DocumentService({ storage, cache, embedding });

  storage.sweeper.sweepSoon();
  const sweeping = setInterval(() => storage.sweeper.sweepSoon(), sweepMs).unref();
  let isClosed = false;
  disposal.add('graphs', () => {
    isClosed = true;
    clearInterval(sweeping);
    return storage.sweeper.settled();
  });

  const nameOf = (name: string): string =>
    accept(ofGraphQuerySchema, { graph_name: name }, '').graph_name || defaultGraph;
  const idOf = (id: string): string =>
    accept(documentParamsSchema, { document_id: id }, '').document_id;
  const call = async <A>(
    given: GraphCallOptions | undefined,
    use: (call: { signal: AbortSignal; onProgress: GraphCallOptions['onProgress'] }) => Promise<A>,
  ): Promise<A> => {
    if (isClosed) throw new TroveError('engine_closed', 'The engine is closed');
    try {
      return await withAnySignal([signal, given?.signal], (until) =>
        use({ signal: until, onProgress: given?.onProgress }),
      );
    } catch (error) {
      if (isTroveError(error) || given?.signal?.aborted === true) throw error;
      logger.error('an operation on graphs failed unexpectedly', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      throw new TroveError('internal_error', 'Something failed that should not have', {
        cause: error,
      });
    }
  };

  return {
    settings: () => ({
      default_graph: defaultGraph,
      llm_model: facts.llmModel,
      embedding_provider: facts.embeddingProvider,
      embedding_model: facts.embeddingModel ?? embedding.facts.model,
      embedding_dimension: embedding.facts.dimension,
      milvus_uri: facts.indexUri,
      milvus_db: 'default',
      openai_api_key_set: facts.llmKeySet,
      openai_base_url: facts.llmBaseUrl,
      embedding_api_key_set: facts.embeddingKeySet,
      embedding_base_url: facts.embeddingBaseUrl,
    }),
    graphs: (given) =>
      call(given, async () => {
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
    deleteGraph: (graph, given) =>
      call(given, async () => {
        const name = nameOf(graph);
        await storage.delete(name);
        cache.forget(name);
        return { success: true, message: `The graph ${name} is deleted` };
      }),
    stats: (graph, given) =>
      call(given, async () => {
        const { name, entities, relations, passages } = await storage.graph(nameOf(graph));
        return {
          graph_name: name,
          entity_count: entities,
          relation_count: relations,
          passage_count: passages,
        };
      }),
    build: (graph, given) => call(given, async () => shownBuild(nameOf(graph), running)),
    addDocuments: (graph, request, given) =>
      call(given, async (options_) =>
        builds.addDocuments(
          nameOf(graph),
          accept(addDocumentsRequestSchema, request, 'body'),
          options_,
        ),
      ),
    upsertDocuments: (graph, request, given) =>
      call(given, async (options_) =>
        builds.upsert(nameOf(graph), accept(addDocumentsRequestSchema, request, 'body'), options_),
      ),
    deleteDocuments: (graph, ids, given) =>
      call(given, async (options_) => builds.remove(nameOf(graph), ids, options_)),
    importSources: (request, given) =>
      call(given, async (options_) => {
        const { sources, ...rest } = accept(importRequestSchema, request, 'body');
        assertOverlap(rest);
        return builds.importSources(nameOf(rest.graph_name), sources, rest, options_);
      }),
    upload: (files, request = {}, given) =>
      call(given, async (options_) => {
        const accepted = accept(uploadFieldsSchema, request, 'body');
        assertOverlap(accepted);
        return builds.upload(nameOf(accepted.graph_name), files, accepted, options_);
      }),
    documents: (query, given) =>
      call(given, async ({ signal: until }) => {
        const accepted = accept(documentsQuerySchema, query, 'query');
        return documents.documents(nameOf(accepted.graph_name), accepted, until);
      }),
    document: (graph, id, given) =>
      call(given, async ({ signal: until }) => documents.document(nameOf(graph), idOf(id), until)),
    query: (graph, request, given) =>
      call(given, async ({ signal: until }) =>
        queries.query(nameOf(graph), accept(queryRequestSchema, request, 'body'), until),
      ),
    neighbors: (graph, entityId, limit, given) =>
      call(given, async ({ signal: until }) => {
        const bounds = accept(neighborsQuerySchema, limit === undefined ? {} : { limit }, 'query');
        return documents.neighbors(nameOf(graph), idOf(entityId), bounds.limit, until);
      }),
  };
}

function shownBuild(name: string, builds: Builds): GraphBuild {
  const progress = builds.of(name);
  if (progress === null) {
    throw new TroveError('not_found', `The graph ${name} is not being built here`);
  }
  return {
    graph_name: name,
    started_at: progress.startedAt.toISOString(),
    num_passages: progress.passages,
    total_passages: progress.total,
  };
}

function modelsOf({ languageModel, fallbackModel, logger }: Foundation): GraphModels {
  return {
    chosen: new GraphModel(languageModel, logger),
    fallback: fallbackModel === null ? null : new GraphModel(fallbackModel, logger),
  };
}

function accept<const S extends JsonSchema>(schema: S, value: unknown, place: string): Infer<S> {
  return acceptRequest(schema, value, place);
}
