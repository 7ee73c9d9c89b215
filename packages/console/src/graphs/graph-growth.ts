import type { GraphEntity, GraphNeighbors, GraphQueryResponse, GraphRelation } from '@trove/client';
import { counted } from '../parts/numbers.js';

/** How an entity came into the drawing. */
export type EntityOrigin = 'named' | 'found' | 'near' | 'far' | 'opened';

/** An entity of the drawing with the number of its step. */
export interface DrawnEntity extends GraphEntity {
  readonly step: number;
  readonly origin: EntityOrigin;
}

/** A relation of the drawing with the number of its step. */
export interface DrawnRelation extends GraphRelation {
  readonly step: number;
}

/**
 * The visible graph and its history: the steps of the answer, then one step per entity whose neighbors were
 * fetched.
 */
export class GraphGrowth {
  readonly entities = new Map<string, DrawnEntity>();
  readonly relations = new Map<string, DrawnRelation>();
  /** Descriptions of the steps. */
  readonly steps: string[] = [];

  constructor({ query_entities: named, subgraph }: GraphQueryResponse) {
    const { entities, relations, expansion_history: history } = subgraph;
    const queried = new Set(named.map(({ id }) => id));
    const stepOf = new Map<string, number>();
    for (const { step, description, added_entity_ids, added_relation_ids } of history) {
      this.steps.push(description);
      for (const id of [...added_entity_ids, ...added_relation_ids]) stepOf.set(id, step);
    }
    if (this.steps.length === 0) this.steps.push('No entities found');
    for (const entity of entities) {
      const step = stepOf.get(entity.id) ?? 0;
      const origin = queried.has(entity.id) ? 'named' : originOf(step);
      this.entities.set(entity.id, { ...entity, step, origin });
    }
    for (const relation of relations) this.#relate(relation, stepOf.get(relation.id) ?? 0);
  }

  /** Adds the neighbors of an entity. Returns whether any of them is new. */
  join({ name }: GraphEntity, { neighbors, relations }: GraphNeighbors): boolean {
    const step = this.steps.length;
    const before = this.relations.size;
    const added = neighbors.filter(({ id }) => !this.entities.has(id));
    for (const entity of added) this.entities.set(entity.id, { ...entity, step, origin: 'opened' });
    for (const relation of relations) this.#relate(relation, step);
    const more = this.relations.size - before;
    if (added.length + more === 0) return false;
    const counts = `${counted(added.length, 'entity', 'entities')} and ${counted(more, 'relation')}`;
    this.steps.push(`Neighbors of ${name}: ${counts}`);
    return true;
  }

  /** Returns the visible relations of an entity. */
  relationsOf(id: string): DrawnRelation[] {
    return [...this.relations.values()].filter(({ entity_ids: ends }) => ends.includes(id));
  }

  #relate(relation: GraphRelation, step: number): void {
    const isShown = relation.entity_ids.every((id) => this.entities.has(id));
    if (isShown && !this.relations.has(relation.id)) {
      this.relations.set(relation.id, { ...relation, step });
    }
  }
}

function originOf(step: number): EntityOrigin {
  if (step === 0) return 'found';
  return step === 1 ? 'near' : 'far';
}
