import { hasEnd, relationsOf, type RelationInPassage } from '../store/passage-record.js';
import type { PassageStore } from '../store/passage-store.js';
import { relationKey } from '../query/relation-key.js';

/** An entity in more passages is a hub: everything is next to it, and nothing follows from that. */
const HUB_PASSAGES = 200;

/** A relation and the passages that were found to state it. */
export interface Statement {
  readonly key: string;
  /** As it was first met. */
  readonly relation: RelationInPassage;
  /** Entities. */
  readonly subject: number;
  readonly object: number;
  readonly slots: Set<number>;
}

/** The relations that passages state, each once, as they are met. */
export class Statements {
  readonly #store: PassageStore;
  readonly #matching: Uint8Array;
  readonly #known = new Map<string, Statement>();
  readonly #read = new Map<number, readonly Statement[]>();

  constructor(store: PassageStore, matching: Uint8Array) {
    this.#store = store;
    this.#matching = matching;
  }

  /** How many were met. */
  get size(): number {
    return this.#known.size;
  }

  add(relation: RelationInPassage, slot: number): Statement {
    const key = relationKey(relation, this.#store.vocabulary);
    const statement = this.#known.get(key) ?? this.#put(key, relation);
    statement.slots.add(slot);
    return statement;
  }

  /** What a passage states, in its order. */
  of(slot: number): readonly Statement[] {
    const known = this.#read.get(slot);
    if (known !== undefined) return known;
    const statements = Array.from(relationsOf(this.#store.record(slot)), (relation) =>
      this.add(relation, slot),
    );
    this.#read.set(slot, statements);
    return statements;
  }

  /**
   * The passages with relations of an entity, in the order of the graph; of a hub only those among `preferred`, which come
   * first.
   */
  passagesWith(entity: number, preferred: readonly number[]): number[] {
    const first = preferred.filter((slot) => hasEnd(this.#store.record(slot), entity));
    if (this.#store.passagesOfEntity(entity) > HUB_PASSAGES) return first;
    const others = this.#store.passagesWith(entity).filter((slot) => this.#matching[slot] === 1);
    return [...new Set([...first, ...others])];
  }

  #put(key: string, relation: RelationInPassage): Statement {
    const { vocabulary } = this.#store;
    const statement: Statement = {
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
