import { TroveError } from '@trove/core';
import type { GraphDocument, GraphDocuments, NeighborsResponse } from '../api/schemas.js';
import type { LoadedGraph } from '../loaded/loaded-graph.js';
import { statedBy } from '../storage/derive.js';
import type { Passage } from '../storage/passage.js';
import { densePassages } from './dense.js';
import { Turns } from '../turns.js';
import type { QueryGround } from './query-service.js';
import { showEntity, showRelation } from './show.js';

type Ground = Omit<QueryGround, 'models'>;

/** Looks things up in one graph. */
export class DocumentService {
  readonly #ground: Ground;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  async documents(
    graph: string,
    { query, top_k: limit, offset }: { query: string; top_k: number; offset: number },
    signal: AbortSignal,
  ): Promise<GraphDocuments> {
    const loaded = await this.#ground.cache.get(graph, signal);
    if (query.trim() === '') {
      const ids = [...loaded.passages.keys()];
      return shown(loaded, ids.slice(offset, offset + limit), ids.length);
    }
    const { storage, embedding } = this.#ground;
    const { record } = loaded;
    const dense = await densePassages(storage, embedding, record, query, undefined, signal);
    const options = {
      passageTopK: offset + limit,
      entityTopK: 1,
      relationTopK: 20,
      expansionDegree: 0,
      ...(dense === undefined ? {} : { dense }),
    };
    const { passages, considered } = await loaded.retriever.retrieve(query, options, signal);
    const ids = passages.map(({ id }) => id);
    return shown(loaded, ids.slice(offset, offset + limit), considered.passages);
  }

  async document(graph: string, id: string, signal: AbortSignal): Promise<GraphDocument> {
    const loaded = await this.#ground.cache.get(graph, signal);
    const passage = loaded.passages.get(id);
    if (passage === undefined) {
      throw new TroveError('not_found', `The graph ${graph} has no document with this id`, {
        suggestions: ['List the documents of the graph with their ids.'],
      });
    }
    return shownDocument(graph, passage);
  }

  async neighbors(
    graph: string,
    entityId: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<NeighborsResponse> {
    const loaded = await this.#ground.cache.get(graph, signal);
    const name = (await loaded.entityName(entityId)) ?? entityId;
    const found = loaded.retriever.neighbors(name, limit);
    if (found === null) {
      throw new TroveError('not_found', `The graph ${graph} has no such entity`, {
        suggestions: ['Name it by the id that an answer has, or by its name in any spelling.'],
      });
    }
    return {
      entity_id: found.entity.id,
      neighbors: found.neighbors.map(showEntity),
      relations: found.relations.map(showRelation),
    };
  }
}

async function shown(
  { record, passages }: LoadedGraph,
  ids: readonly string[],
  total: number,
): Promise<GraphDocuments> {
  const documents: GraphDocument[] = [];
  const turns = new Turns();
  for (const id of ids) {
    const passage = passages.get(id);
    if (passage !== undefined) documents.push(shownDocument(record.name, passage));
    await turns.next();
  }
  return { documents, total };
}

function shownDocument(graph: string, passage: Passage): GraphDocument {
  const { entityIds, relationIds } = statedBy(graph, passage);
  const { id, text, metadata } = passage;
  return {
    id,
    text,
    entity_ids: [...entityIds],
    relation_ids: [...relationIds],
    metadata: { ...metadata },
  };
}
