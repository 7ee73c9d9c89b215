import type { Steps } from '../../time-slices.js';
import type { PassageStore } from '../store/passage-store.js';
import type { StatedRelation, StatedRelations } from './stated-relations.js';

const maxEntities = 150;
const maxRelations = 300;
/** Maximum number of relations per entity and step, so all entities contribute. */
const maxPerEntity = 20;
/** Maximum number of passages read per step. */
const maxPassagesRead = 1000;
/** Maximum number of relations read per step, because a passage may have many. */
const maxRelationsRead = 100_000;

/** The additions of one step. */
export interface Growth {
  readonly entities: readonly number[];
  readonly statements: readonly StatedRelation[];
}

/** A subgraph that grows by hops from given entities, within the limits for display. */
export class GrowingSubgraph {
  readonly entities = new Set<number>();
  readonly statements = new Set<StatedRelation>();
  readonly steps: Growth[] = [];
  readonly #store: PassageStore;
  readonly #known: StatedRelations;
  readonly #preferred: readonly number[];
  readonly #considered = new Set<number>();

  /** Relations of the `preferred` passages come first. */
  constructor(store: PassageStore, known: StatedRelations, preferred: readonly number[]) {
    this.#store = store;
    this.#known = known;
    this.#preferred = preferred;
  }

  /** Number of examined entities, including those without room. */
  get considered(): number {
    return this.#considered.size;
  }

  *begin(entities: Iterable<number>, statements: Iterable<StatedRelation>): Steps<void> {
    const added: { entities: number[]; statements: StatedRelation[] } = {
      entities: [],
      statements: [],
    };
    for (const entity of entities) this.#addEntity(entity, added.entities);
    for (const statement of statements) this.#addStatement(statement, added);
    for (const slot of this.#preferred) {
      yield;
      for (const statement of this.#known.of(slot)) {
        if (this.#holdsBoth(statement)) this.#addStatement(statement, added);
      }
    }
    this.steps.push(added);
  }

  /** Adds one hop. */
  *expand(): Steps<void> {
    const added: { entities: number[]; statements: StatedRelation[] } = {
      entities: [],
      statements: [],
    };
    let read = 0;
    let relationsRead = 0;
    for (const entity of this.steps.at(-1)?.entities ?? []) {
      let count = 0;
      const slots = this.#known.passagesWith(entity);
      for (const slot of slots.slice(0, Math.max(0, maxPassagesRead - read))) {
        if (relationsRead >= maxRelationsRead) break;
        yield;
        const stated = this.#known.of(slot);
        relationsRead += stated.length;
        for (const statement of stated) {
          if (statement.subject !== entity && statement.object !== entity) continue;
          this.#considered.add(statement.subject).add(statement.object);
          if (count < maxPerEntity && this.#addStatement(statement, added)) count += 1;
        }
      }
      read += slots.length;
    }
    this.steps.push(added);
  }

  #addEntity(entity: number, added: number[]): boolean {
    this.#considered.add(entity);
    if (this.entities.has(entity)) return true;
    if (this.entities.size >= maxEntities || !this.#store.isInGraph(entity)) return false;
    this.entities.add(entity);
    added.push(entity);
    return true;
  }

  /** Adds a relation with its ends. Returns true if it is new and all three fit. */
  #addStatement(
    statement: StatedRelation,
    added: { entities: number[]; statements: StatedRelation[] },
  ): boolean {
    if (this.statements.has(statement) || this.statements.size >= maxRelations) return false;
    const ends = new Set([statement.subject, statement.object]);
    const missing = [...ends].filter((entity) => !this.entities.has(entity));
    if (this.entities.size + missing.length > maxEntities) return false;
    for (const entity of missing) this.#addEntity(entity, added.entities);
    this.statements.add(statement);
    added.statements.push(statement);
    return true;
  }

  #holdsBoth({ subject, object }: StatedRelation): boolean {
    return this.entities.has(subject) && this.entities.has(object);
  }
}
