import { entityId, relationId } from '../../identity/ids.js';
import type { PassageStore } from '../store/passage-store.js';
import type { GraphEntity, GraphRelation } from '../types.js';
import type { StatedRelation, StatedRelations } from './stated-relations.js';

const maxPassageIds = 20;
const maxDescriptionRelations = 3;

/** Describes entities and relations with names and ids. */
export class Descriptions {
  readonly #graph: string;
  readonly #store: PassageStore;
  readonly #statements: StatedRelations;
  /** By entity, its shown relations. */
  readonly #shown = new Map<number, StatedRelation[]>();
  readonly #entities = new Map<number, GraphEntity>();
  readonly #entityIds = new Map<number, string>();
  readonly #relationIds = new Map<StatedRelation, string>();

  /** `shown` contains the relations of the answer. */
  constructor(
    graph: string,
    store: PassageStore,
    statements: StatedRelations,
    shown: Iterable<StatedRelation>,
  ) {
    this.#graph = graph;
    this.#store = store;
    this.#statements = statements;
    for (const statement of shown) {
      for (const end of new Set([statement.subject, statement.object])) {
        const own = this.#shown.get(end);
        if (own === undefined) this.#shown.set(end, [statement]);
        else own.push(statement);
      }
    }
  }

  entityId(entity: number): string {
    const known = this.#entityIds.get(entity);
    if (known !== undefined) return known;
    const id = entityId(this.#graph, this.#store.vocabulary.entities.text(entity));
    this.#entityIds.set(entity, id);
    return id;
  }

  entity(entity: number): GraphEntity {
    const known = this.#entities.get(entity);
    if (known !== undefined) return known;
    const described = this.#describe(entity);
    this.#entities.set(entity, described);
    return described;
  }

  #describe(entity: number): GraphEntity {
    const own = this.#shown.get(entity) ?? [];
    const slots = this.#statements.passagesWith(entity).slice(0, maxPassageIds);
    return {
      id: this.entityId(entity),
      name: this.#store.nameOf(entity),
      description: this.#described(entity, own, slots),
      relationIds: own.map((statement) => this.relationId(statement)),
      passageIds: slots.map((slot) => this.#store.slots.idOf(slot)),
    };
  }

  relation(statement: StatedRelation): GraphRelation {
    const { subject, predicate, object } = this.#parts(statement);
    return {
      id: this.relationId(statement),
      subject,
      predicate,
      object,
      text: `${subject} ${predicate} ${object}`,
      entityIds: [this.entityId(statement.subject), this.entityId(statement.object)],
      passageIds: [...statement.slots]
        .sort((a, b) => this.#store.slots.orderOf(a) - this.#store.slots.orderOf(b))
        .slice(0, maxPassageIds)
        .map((slot) => this.#store.slots.idOf(slot)),
    };
  }

  relationId(statement: StatedRelation): string {
    const known = this.#relationIds.get(statement);
    if (known !== undefined) return known;
    const { subject, predicate, object } = this.#parts(statement);
    const id = relationId(this.#graph, subject, predicate, object);
    this.#relationIds.set(statement, id);
    return id;
  }

  #parts({ relation }: StatedRelation): { subject: string; predicate: string; object: string } {
    const { spellings, predicates } = this.#store.vocabulary;
    return {
      subject: spellings.text(relation.subject),
      predicate: predicates.text(relation.predicate),
      object: spellings.text(relation.object),
    };
  }

  /** Describes an entity by its shown relations, else by those of its first passage. */
  #described(entity: number, shown: readonly StatedRelation[], slots: readonly number[]): string {
    const [first] = slots;
    const known = shown.length > 0 || first === undefined ? shown : this.#statements.of(first);
    return known
      .filter(({ subject, object }) => subject === entity || object === entity)
      .slice(0, maxDescriptionRelations)
      .map((statement) => this.#parts(statement))
      .map(({ subject, predicate, object }) => `${subject} ${predicate} ${object}`)
      .join('; ');
  }
}
