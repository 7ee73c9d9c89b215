import type { Filter } from '@trove/core';
import type { EmbeddingService } from '@trove/runtime';
import type { PassageResponse, QueryRequest, QueryResponse } from '../api/schemas.js';
import { assertKnownFields, filterOf, matches } from '../filter/filter.js';
import type { GraphCache } from '../loaded/graph-cache.js';
import type { LoadedGraph } from '../loaded/loaded-graph.js';
import { joinSection, sectionOf } from '../identity/section.js';
import { askForAnswer, notFound } from '../model/answer.js';
import type { GraphModels } from '../model/model.js';
import { rerank, type RerankPassage } from '../model/rerank.js';
import type { FilterablePassage, Retrieval, ScoredPassage } from '../retrieval/types.js';
import type { GraphStorage } from '../storage/graph-storage.js';
import type { StoredPassage } from '../storage/passage.js';
import { searchDense } from './dense.js';
import {
  toEntityResponse,
  toPassageResponse,
  toRelationResponse,
  withScore,
  toStepResponse,
} from './responses.js';

/** Maximum number of passages that the language model ranks. */
const maxRankedPassages = 30;

/** A ranked passage with its stored content. */
interface RetrievedPassage extends Omit<RerankPassage, 'facts'> {
  readonly passage: StoredPassage;
  readonly scored: ScoredPassage;
}

export interface QueryDependencies {
  readonly storage: GraphStorage;
  readonly cache: GraphCache;
  readonly embedding: EmbeddingService;
  readonly models: GraphModels;
}

/** Answers questions over one graph. */
export class QueryService {
  readonly #dependencies: QueryDependencies;

  constructor(dependencies: QueryDependencies) {
    this.#dependencies = dependencies;
  }

  async query(graph: string, request: QueryRequest, signal: AbortSignal): Promise<QueryResponse> {
    const started = performance.now();
    const { question } = request;
    const loaded = await this.#dependencies.cache.get(graph, signal);
    const { primary } = this.#dependencies.models;
    const isRanked = request.use_reranking && (await primary.serves('rank'));
    const retrieval = await this.#retrieve(loaded, request, isRanked, signal);
    const retrieved = retrieval.passages.flatMap((scored) => retrievedPassageOf(loaded, scored));
    const ranked =
      isRanked && retrieved.length > 0
        ? await rerank(primary, question, addFacts(retrieved, retrieval), signal)
        : null;
    const best = (ranked ?? retrieved).slice(0, request.passage_top_k);
    const shown = toPassageResponses(best);
    const retrievedAt = performance.now();
    const answer = await this.#answer(question, best, signal);
    const ended = performance.now();
    return {
      question,
      answer,
      query_entities: retrieval.queryEntities.map((each) =>
        withScore(toEntityResponse(each), each),
      ),
      subgraph: subgraphOf(retrieval, shown),
      retrieved_passages: shown,
      stats: {
        retrieval_time_ms: Math.round(retrievedAt - started),
        generation_time_ms: Math.round(ended - retrievedAt),
        total_time_ms: Math.round(ended - started),
        num_entities_retrieved: retrieval.considered.entities,
        num_relations_retrieved: retrieval.considered.relations,
        num_passages_retrieved: retrieval.considered.passages,
      },
      retrieval_detail: detailOf(retrieval),
      ...(request.use_reranking ? { rerank_result: rerankedOf(retrieval, shown) } : {}),
      eviction_result: evictionOf(retrieval),
    };
  }

  async #retrieve(
    loaded: LoadedGraph,
    request: QueryRequest,
    isRanked: boolean,
    signal: AbortSignal,
  ): Promise<Retrieval> {
    const { storage, embedding } = this.#dependencies;
    const { question } = request;
    const filter = parseRequestFilter(loaded, request.filter);
    const dense = await searchDense(storage, embedding, loaded.record, question, filter, signal);
    const options = {
      passageTopK: isRanked
        ? Math.max(maxRankedPassages, request.passage_top_k)
        : request.passage_top_k,
      entityTopK: request.entity_top_k,
      relationTopK: request.relation_top_k,
      expansionDegree: request.expansion_degree,
      ...(filter === undefined
        ? {}
        : { matches: ({ metadata }: FilterablePassage) => matches(filter, metadata) }),
      ...(dense === undefined ? {} : { dense }),
    };
    return loaded.retriever.retrieve(question, options, signal);
  }

  async #answer(
    question: string,
    passages: readonly RetrievedPassage[],
    signal: AbortSignal,
  ): Promise<string> {
    if (passages.length === 0) return notFound;
    const { primary, fallback } = this.#dependencies.models;
    for (const model of [primary, ...(fallback === null ? [] : [fallback])]) {
      const answer = await askForAnswer(model, question, passages, signal);
      if (answer !== null) return answer;
    }
    return notFound;
  }
}

function parseRequestFilter(loaded: LoadedGraph, text: string | null): Filter | undefined {
  if (text === null || text.trim() === '') return undefined;
  const filter = filterOf(text);
  if (loaded.fieldNames !== null) assertKnownFields(filter, loaded.fieldNames);
  return filter;
}

function retrievedPassageOf({ passages }: LoadedGraph, scored: ScoredPassage): RetrievedPassage[] {
  const passage = passages.get(scored.id);
  if (passage === undefined) return [];
  const { id, text, metadata } = passage;
  const headings = [...(passage.title === null ? [] : [passage.title]), ...sectionOf(metadata)];
  const title = headings.length === 0 ? null : joinSection([...new Set(headings)]);
  return [{ id, title, text, passage, scored }];
}

/** Adds the facts of each passage, those relevant to the question first. */
function addFacts(
  retrieved: readonly RetrievedPassage[],
  { relations }: Retrieval,
): (RetrievedPassage & RerankPassage)[] {
  return retrieved.map((each) => {
    const fitting = relations.filter(({ passageIds }) => passageIds.includes(each.id));
    const facts = new Set([
      ...fitting.map((relation) => relation.text),
      ...each.passage.triplets.map(
        ({ subject, predicate, object }) => `${subject} ${predicate} ${object}`,
      ),
    ]);
    return { ...each, facts: [...facts] };
  });
}

/** Assigns the scores in descending order, because a language model may have changed the order of the passages. */
function toPassageResponses(retrieved: readonly RetrievedPassage[]): PassageResponse[] {
  const scores = retrieved.map(({ scored }) => scored.score).sort((left, right) => right - left);
  return retrieved.map(({ passage, scored }, at) =>
    toPassageResponse(passage, { ...scored, score: scores[at] ?? scored.score }),
  );
}

function subgraphOf({ subgraph, expansion }: Retrieval, passages: PassageResponse[]) {
  return {
    entities: subgraph.entities.map(toEntityResponse),
    relations: subgraph.relations.map(toRelationResponse),
    passages,
    expansion_history: expansion.map(toStepResponse),
    entity_ids: subgraph.entities.map(({ id }) => id),
    relation_ids: subgraph.relations.map(({ id }) => id),
    passage_ids: passages.map(({ id }) => id),
  };
}

function detailOf({ entities, relations, subgraph, expansion }: Retrieval) {
  const expanded = new Set(
    expansion
      .filter(({ operation }) => operation === 'expand')
      .flatMap((step) => step.addedEntityIds),
  );
  return {
    entity_search_results: entities.map((each) => withScore(toEntityResponse(each), each)),
    relation_search_results: relations.map((each) => withScore(toRelationResponse(each), each)),
    expanded_entities: subgraph.entities.filter(({ id }) => expanded.has(id)).map(toEntityResponse),
    entity_ids: entities.map(({ id }) => id),
    entity_texts: entities.map(({ name }) => name),
    entity_scores: entities.map(({ score }) => score),
    relation_ids: relations.map(({ id }) => id),
    relation_texts: relations.map(({ text }) => text),
    relation_scores: relations.map(({ score }) => score),
  };
}

function evictionOf({ considered, subgraph }: Retrieval) {
  const after = subgraph.relations.length;
  const before = Math.max(considered.relations, after);
  return { occurred: after < before, before_count: before, after_count: after };
}

/** Sorts entities and relations by the rank of their passages. */
function rerankedOf({ entities, relations }: Retrieval, passages: readonly PassageResponse[]) {
  const rank = new Map(passages.map(({ id }, at) => [id, at]));
  const place = (ids: readonly string[]): number =>
    Math.min(...ids.map((id) => rank.get(id) ?? Infinity));
  const inOrder = <T extends { readonly passageIds: readonly string[] }>(
    items: readonly T[],
  ): T[] =>
    items
      .map((item) => ({ item, at: place(item.passageIds) }))
      .sort((left, right) => (left.at === right.at ? 0 : left.at - right.at))
      .map(({ item }) => item);
  const selected = inOrder(relations);
  return {
    reranked_entities: inOrder(entities).map((each) => withScore(toEntityResponse(each), each)),
    reranked_relations: selected.map((each) => withScore(toRelationResponse(each), each)),
    reranked_passages: [...passages],
    selected_relation_ids: selected.map(({ id }) => id),
    selected_relation_texts: selected.map(({ text }) => text),
  };
}
