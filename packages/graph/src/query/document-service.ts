import { TroveError } from '@trove/core';
import type { GraphDocument, GraphDocuments, NeighborsResponse } from '../api/schemas.js';
import type { LoadedGraph } from '../loaded/loaded-graph.js';
import { statedIdsOf } from '../storage/graph-names.js';
import type { StoredPassage } from '../storage/passage.js';
import { searchDense } from './dense.js';
import { TimeSlices } from '../time-slices.js';
import type { QueryDependencies } from './query-service.js';
import { toEntityResponse, toRelationResponse } from './responses.js';

type DocumentDependencies = Omit<QueryDependencies, 'models'>;

/** Looks up documents and entities of a graph. */
export class DocumentService {
  readonly #dependencies: DocumentDependencies;

  constructor(dependencies: DocumentDependencies) {
    this.#dependencies = dependencies;
  }

  async documents(
    graph: string,
    { query, top_k: limit, offset }: { query: string; top_k: number; offset: number },
    signal: AbortSignal,
  ): Promise<GraphDocuments> {
    const loaded = await this.#dependencies.cache.get(graph, signal);
    if (query.trim() === '') {
      const ids = [...loaded.passages.keys()];
      return toDocuments(loaded, ids.slice(offset, offset + limit), ids.length);
    }
    const { storage, embedding } = this.#dependencies;
    const { record } = loaded;
    const dense = await searchDense(storage, embedding, record, query, undefined, signal);
    const options = {
      passageTopK: offset + limit,
      entityTopK: 1,
      relationTopK: 20,
      expansionDegree: 0,
      ...(dense === undefined ? {} : { dense }),
    };
    const { passages, considered } = await loaded.retriever.retrieve(query, options, signal);
    const ids = passages.map(({ id }) => id);
    return toDocuments(loaded, ids.slice(offset, offset + limit), considered.passages);
  }

  async document(graph: string, id: string, signal: AbortSignal): Promise<GraphDocument> {
    const loaded = await this.#dependencies.cache.get(graph, signal);
    const passage = loaded.passages.get(id);
    if (passage === undefined) {
      throw new TroveError('not_found', `The graph ${graph} has no document with this id`, {
        suggestions: ['List the documents of the graph with their ids.'],
      });
    }
    return toDocument(graph, passage);
  }

  async neighbors(
    graph: string,
    entityId: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<NeighborsResponse> {
    const loaded = await this.#dependencies.cache.get(graph, signal);
    const name = (await loaded.entityName(entityId)) ?? entityId;
    const neighborhood = loaded.retriever.neighbors(name, limit);
    if (neighborhood === null) {
      throw new TroveError('not_found', `The graph ${graph} has no such entity`, {
        suggestions: ['Use an id from a response, or the name in any spelling.'],
      });
    }
    return {
      entity_id: neighborhood.entity.id,
      neighbors: neighborhood.neighbors.map(toEntityResponse),
      relations: neighborhood.relations.map(toRelationResponse),
    };
  }
}

async function toDocuments(
  { record, passages }: LoadedGraph,
  ids: readonly string[],
  total: number,
): Promise<GraphDocuments> {
  const documents: GraphDocument[] = [];
  const slices = new TimeSlices();
  for (const id of ids) {
    const passage = passages.get(id);
    if (passage !== undefined) documents.push(toDocument(record.name, passage));
    await slices.yieldIfDue();
  }
  return { documents, total };
}

function toDocument(graph: string, passage: StoredPassage): GraphDocument {
  const { entityIds, relationIds } = statedIdsOf(graph, passage);
  const { id, text, metadata } = passage;
  return {
    id,
    text,
    entity_ids: [...entityIds],
    relation_ids: [...relationIds],
    metadata: { ...metadata },
  };
}
