import {
  isRelationEnd,
  relationAt,
  visitRelations,
  type RelationParts,
} from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import { relationKey } from '../query/relation-key.js';

/** An entity in more passages is a hub. Its neighbors say little about it. */
const minHubPassages = 200;

/** A relation with the known passages that state it. */
export interface StatedRelation {
  readonly key: string;
  /** The first spelling. */
  readonly relation: RelationParts;
  /** Entities. */
  readonly subject: number;
  readonly object: number;
  readonly slots: Set<number>;
}

/** Collects relations from passages, each once. */
export class StatedRelations {
  readonly #store: PassageStore;
  readonly #matching: Uint8Array;
  readonly #preferred: readonly number[];
  readonly #known = new Map<string, StatedRelation>();
  readonly #read = new Map<number, readonly StatedRelation[]>();
  readonly #passages = new Map<number, readonly number[]>();

  constructor(store: PassageStore, matching: Uint8Array, preferred: readonly number[]) {
    this.#store = store;
    this.#matching = matching;
    this.#preferred = preferred;
  }

  /** Number of collected relations. */
  get size(): number {
    return this.#known.size;
  }

  add(relation: RelationParts, slot: number): StatedRelation {
    const key = relationKey(relation, this.#store.vocabulary);
    const statement = this.#known.get(key) ?? this.#put(key, relation);
    statement.slots.add(slot);
    return statement;
  }

  /** Returns the relations of a passage, in order. */
  of(slot: number): readonly StatedRelation[] {
    const known = this.#read.get(slot);
    if (known !== undefined) return known;
    const record = this.#store.record(slot);
    const statements: StatedRelation[] = [];
    visitRelations(record, (at) => statements.push(this.add(relationAt(record, at), slot)));
    this.#read.set(slot, statements);
    return statements;
  }

  /**
   * Returns the passages with relations of an entity, preferred ones first. Returns only preferred passages for a hub.
   */
  passagesWith(entity: number): readonly number[] {
    const known = this.#passages.get(entity);
    if (known !== undefined) return known;
    const slots = this.#find(entity);
    this.#passages.set(entity, slots);
    return slots;
  }

  #find(entity: number): number[] {
    const first = this.#preferred.filter((slot) => isRelationEnd(this.#store.record(slot), entity));
    if (this.#store.passagesOfEntity(entity) > minHubPassages) return first;
    const others = this.#store.passagesWith(entity).filter((slot) => this.#matching[slot] === 1);
    return [...new Set([...first, ...others])];
  }

  #put(key: string, relation: RelationParts): StatedRelation {
    const { vocabulary } = this.#store;
    const statement: StatedRelation = {
      key,
      relation,
      subject: vocabulary.entityOf(relation.subject),
      object: vocabulary.entityOf(relation.object),
      slots: new Set(),
    };
    this.#known.set(key, statement);
    return statement;
  }
}
