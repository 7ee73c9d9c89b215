import { counted } from './elements.js';

/**
 * The visible graph and its history: the steps of the answer, then one step per entity whose neighbors were
 * fetched. Entities and relations store the number of their step.
 */
export class Growth {
  entities = new Map();
  relations = new Map();
  /** Descriptions of the steps. */
  steps = [];

  constructor({ query_entities: named, subgraph }) {
    const { entities, relations, expansion_history: history } = subgraph;
    const queried = new Set(named.map(({ id }) => id));
    const stepOf = new Map();
    for (const { step, description, added_entity_ids: some, added_relation_ids: more } of history) {
      this.steps.push(description);
      for (const id of [...some, ...more]) stepOf.set(id, step);
    }
    if (this.steps.length === 0) this.steps.push('No entities found');
    for (const entity of entities) {
      const step = stepOf.get(entity.id) ?? 0;
      const kind = queried.has(entity.id)
        ? 'named'
        : step === 0
          ? 'found'
          : step === 1
            ? 'near'
            : 'far';
      this.entities.set(entity.id, { ...entity, step, kind });
    }
    for (const relation of relations) this.#relate(relation, stepOf.get(relation.id) ?? 0);
  }

  /** Adds the neighbors of an entity. Returns whether any of them is new. */
  join({ name }, { neighbors, relations }) {
    const step = this.steps.length;
    const before = this.relations.size;
    const added = neighbors.filter(({ id }) => !this.entities.has(id));
    for (const entity of added) this.entities.set(entity.id, { ...entity, step, kind: 'opened' });
    for (const relation of relations) this.#relate(relation, step);
    const more = this.relations.size - before;
    if (added.length + more === 0) return false;
    const counts = `${counted(added.length, 'entity', 'entities')} and ${counted(more, 'relation')}`;
    this.steps.push(`Neighbors of ${name}: ${counts}`);
    return true;
  }

  /** Returns the visible relations of an entity. */
  relationsOf(id) {
    return [...this.relations.values()].filter(({ entity_ids: ends }) => ends.includes(id));
  }

  #relate(relation, step) {
    const isShown = relation.entity_ids.every((id) => this.entities.has(id));
    if (isShown && !this.relations.has(relation.id)) {
      this.relations.set(relation.id, { ...relation, step });
    }
  }
}
