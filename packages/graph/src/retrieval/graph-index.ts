import { canonicalName } from '@trove/text/names';
import { runInSlices, type Steps } from '../time-slices.js';
import { bestEntities, linkedEntities } from './query/entities.js';
import { parseQuestion } from './query/question.js';
import { rank } from './query/rank.js';
import { PassageStore } from './store/passage-store.js';
import { Descriptions } from './subgraph/descriptions.js';
import { GrowingSubgraph } from './subgraph/growing-subgraph.js';
import { findNeighborhood } from './subgraph/neighborhood.js';
import { StatedRelations } from './subgraph/stated-relations.js';
import { describeSteps } from './subgraph/steps.js';
import type {
  GraphPassage,
  GraphRetriever,
  Neighborhood,
  Retrieval,
  RetrievalOptions,
} from './types.js';

/** The index is not compacted for fewer removed passages. */
const minCompactedPassages = 1000;

/** See `GraphRetriever`. */
export class GraphIndex implements GraphRetriever {
  readonly #graph: string;
  #store = new PassageStore();

  constructor(graph: string) {
    this.#graph = graph;
  }

  get bytes(): number {
    return this.#store.bytes;
  }

  add(passages: Iterable<GraphPassage>): void {
    for (const passage of passages) this.#store.add(passage);
    this.#clear();
  }

  remove(ids: Iterable<string>): void {
    for (const id of ids) this.#store.remove(id);
    this.#clear();
  }

  retrieve(text: string, options: RetrievalOptions, signal?: AbortSignal): Promise<Retrieval> {
    return runInSlices(this.#retrieval(text, options), signal);
  }

  neighbors(name: string, limit: number): Neighborhood | null {
    const store = this.#store;
    const entity = store.vocabulary.entities.find(canonicalName(name));
    if (entity === undefined || !store.isInGraph(entity)) return null;
    return findNeighborhood(this.#graph, entity, limit, store);
  }

  *#retrieval(text: string, options: RetrievalOptions): Steps<Retrieval> {
    const store = this.#store;
    const question = parseQuestion(text, store);
    const matching = store.slots.matching(options.matches);
    const ranking = yield* rank(question, store, { ...options, matching });
    const slots = ranking.passages.map(({ slot }) => slot);

    const statements = new StatedRelations(store, matching, slots);
    const facts = ranking.facts.map((fact) => ({
      ...fact,
      statement: statements.add(fact.relation, fact.slot),
    }));
    const linked = linkedEntities(question, store, matching);
    const entities = bestEntities(linked, facts).slice(0, options.entityTopK);
    const subgraph = new GrowingSubgraph(store, statements, slots);
    yield* subgraph.begin(
      entities.map(({ entity }) => entity),
      facts.map(({ statement }) => statement),
    );
    for (let hop = 0; hop < options.expansionDegree; hop++) yield* subgraph.expand();

    const describe = new Descriptions(this.#graph, store, statements, subgraph.statements);
    const relations = new Map(facts.map(({ statement, score }) => [statement, score]));
    return {
      passages: ranking.passages.map(({ slot, score, via, bridge }) => ({
        id: store.slots.idOf(slot),
        score,
        via,
        bridge:
          bridge === null
            ? null
            : {
                passageId: store.slots.idOf(bridge.from),
                entityId: describe.entityId(bridge.entity),
              },
      })),
      queryEntities: linked.map(({ entity, score }) => ({ ...describe.entity(entity), score })),
      entities: entities.map(({ entity, score }) => ({ ...describe.entity(entity), score })),
      relations: Array.from(relations, ([statement, score]) => ({
        ...describe.relation(statement),
        score,
      })),
      subgraph: {
        entities: Array.from(subgraph.entities, (entity) => describe.entity(entity)),
        relations: Array.from(subgraph.statements, (statement) => describe.relation(statement)),
      },
      expansion: describeSteps(subgraph.steps, describe),
      considered: {
        entities: subgraph.considered,
        relations: statements.size,
        passages: ranking.considered,
      },
    };
  }

  #clear(): void {
    const removed = this.#store.slots.length - this.#store.size;
    if (removed > Math.max(minCompactedPassages, this.#store.size))
      this.#store = this.#store.compact();
  }
}
