import type { GraphPassage, PassageFacts } from '../types.js';
import { analysePassage } from './analyse-passage.js';
import { Numbers } from './numbers.js';
import {
  COUNT_BITS,
  encode,
  hasEnd,
  isByRules,
  entitiesOf,
  lengthOf,
  MAX_COUNT,
  pack,
  relationsOf,
  termsOf,
  visitTerms,
  type PassageContents,
  type RelationInPassage,
} from './passage-record.js';
import { Postings } from './postings.js';
import { Records } from './records.js';
import { Vocabulary } from './vocabulary.js';

const NO_METADATA = Object.freeze({});
/** Per passage: its id in a map and an array, and its metadata if it has few. */
const BYTES_PER_PASSAGE = 300;

/** `1 + ln n` of the counts that a record can hold. */
const LOGARITHMIC = Float64Array.from({ length: MAX_COUNT + 1 }, (_, n) =>
  n === 0 ? 0 : 1 + Math.log(n),
);

/** Weight of `count` occurrences of a term, before its IDF. */
export function countWeight(count: number): number {
  return LOGARITHMIC[count] ?? 0;
}

/** The passages of a graph, in slots, with what they are found by. Removed ones keep their slot until `compacted`. */
export class PassageStore {
  readonly vocabulary = new Vocabulary();
  /** By term: `slot << 8 | count`, removed passages included. */
  readonly termPostings = new Postings();
  /** By entity: slots, removed passages included; likewise those titled with it. */
  readonly entityPostings = new Postings();
  readonly titlePostings = new Postings();
  readonly #records = new Records();
  readonly #positions = new Numbers();
  readonly #orders = new Numbers();
  readonly #ids: string[] = [];
  readonly #metadata: (Readonly<Record<string, unknown>> | undefined)[] = [];
  readonly #slots = new Map<string, number>();
  readonly #live = new Numbers();
  /** Passages by term, those that have it in lower case, and relations by term. */
  readonly #passagesOfTerm = new Numbers();
  readonly #lowerPassagesOfTerm = new Numbers();
  readonly #relationsOfTerm = new Numbers();
  /** Passages by entity, and those where it ends a relation. */
  readonly #passagesOfEntity = new Numbers();
  readonly #endPassagesOfEntity = new Numbers();
  /** One more than the first spelling of an entity; 0: to be looked up. */
  readonly #shown = new Numbers();
  #nextOrder = 0;
  #totalLength = 0;
  #inverseNorms: Float64Array | null = null;

  /** Number of passages. */
  get size(): number {
    return this.#slots.size;
  }

  /** Slots in use, those of removed passages included. */
  get slots(): number {
    return this.#ids.length;
  }

  get bytes(): number {
    const parts = [
      this.vocabulary,
      this.termPostings,
      this.entityPostings,
      this.titlePostings,
      this.#records,
      this.#positions,
      this.#orders,
      this.#live,
      this.#passagesOfTerm,
      this.#lowerPassagesOfTerm,
      this.#relationsOfTerm,
      this.#passagesOfEntity,
      this.#endPassagesOfEntity,
      this.#shown,
    ];
    return parts.reduce((sum, { bytes }) => sum + bytes, this.slots * BYTES_PER_PASSAGE);
  }

  /** Mean length of a passage, in terms. */
  get meanLength(): number {
    return this.size === 0 ? 0 : this.#totalLength / this.size;
  }

  /** Adds a passage; one with a known id replaces it in its place. */
  add(passage: GraphPassage): void {
    const { id, metadata } = passage;
    const contents = analysePassage(passage, this.vocabulary);
    const replaced = this.#slots.get(id);
    const order = replaced === undefined ? this.#nextOrder++ : this.#orders.at(replaced);
    this.remove(id);
    this.#put(id, metadata, order, contents);
    if (replaced === undefined) return;
    for (const { entity, isEnd } of contents.entities) if (isEnd) this.#shown.set(entity, 0);
  }

  /** Whether there was such a passage. */
  remove(id: string): boolean {
    const slot = this.#slots.get(id);
    if (slot === undefined) return false;
    const record = this.record(slot);
    for (const { term, isLower } of termsOf(record)) {
      this.#passagesOfTerm.add(term, -1);
      if (isLower) this.#lowerPassagesOfTerm.add(term, -1);
    }
    for (const { entity, isEnd } of entitiesOf(record)) {
      this.#passagesOfEntity.add(entity, -1);
      if (!isEnd) continue;
      this.#endPassagesOfEntity.add(entity, -1);
      this.#shown.set(entity, 0);
    }
    this.#countRelations(relationsOf(record), -1);
    this.#totalLength -= lengthOf(record);
    this.#live.set(slot, 0);
    this.#slots.delete(id);
    this.#ids[slot] = '';
    this.#metadata[slot] = undefined;
    this.#inverseNorms = null;
    return true;
  }

  /** The same passages in a store that holds nothing of those removed. */
  compacted(): PassageStore {
    const store = new PassageStore();
    const slots = [...this.#slots.values()].sort((a, b) => this.#orders.at(a) - this.#orders.at(b));
    const { vocabulary: from } = this;
    const { vocabulary: to } = store;
    const terms = new Numbering((term) => to.terms.intern(from.terms.text(term)));
    const entities = new Numbering((entity) => to.entities.intern(from.entities.text(entity)));
    const spellings = new Numbering((each) => to.spell(from.spellings.text(each)) ?? 0);
    const predicates = new Numbering((each) => to.predicates.intern(from.predicates.text(each)));
    for (const slot of slots) {
      const contents = this.#contents(slot);
      store.#put(this.idOf(slot), this.#metadata[slot], store.#nextOrder++, {
        ...contents,
        terms: contents.terms.map((each) => ({ ...each, term: terms.of(each.term) })),
        entities: contents.entities.map((each) => ({ ...each, entity: entities.of(each.entity) })),
        relations: contents.relations.map((each) => ({
          subject: spellings.of(each.subject),
          predicate: predicates.of(each.predicate),
          object: spellings.of(each.object),
          terms: Array.from(each.terms, (packed) =>
            pack(terms.of(packed >>> COUNT_BITS), packed & MAX_COUNT),
          ),
        })),
      });
    }
    return store;
  }

  record(slot: number): Uint32Array {
    return this.#records.at(this.#positions.at(slot));
  }

  idOf(slot: number): string {
    return this.#ids[slot] ?? '';
  }

  slotOf(id: string): number | undefined {
    return this.#slots.get(id);
  }

  orderOf(slot: number): number {
    return this.#orders.at(slot);
  }

  /** For each slot 1 if it counts, else 0. */
  matching(
    matches: ((passage: PassageFacts) => boolean) | ReadonlySet<string> | undefined,
  ): Uint8Array {
    if (matches === undefined) return Uint8Array.from(this.#live.values.subarray(0, this.slots));
    const counts = new Uint8Array(this.slots);
    if (typeof matches !== 'function') {
      for (const id of matches) {
        const slot = this.#slots.get(id);
        if (slot !== undefined) counts[slot] = 1;
      }
      return counts;
    }
    for (const [id, slot] of this.#slots) {
      if (matches({ id, metadata: this.#metadata[slot] ?? NO_METADATA })) counts[slot] = 1;
    }
    return counts;
  }

  /** Whether a passage or a relation has a term. */
  hasTerm(term: number): boolean {
    return this.#passagesOfTerm.at(term) > 0 || this.#relationsOfTerm.at(term) > 0;
  }

  passagesOfEntity(entity: number): number {
    return this.#passagesOfEntity.at(entity);
  }

  /** Whether more passages have a word in lower case than have the entity that it names. */
  isCommonNoun(word: string, entity: number): boolean {
    const passages = this.passagesOfEntity(entity);
    return this.vocabulary
      .word(word)
      .terms.every((term) => this.#lowerPassagesOfTerm.at(term) > passages);
  }

  /** Whether an entity is an end of a relation, and so a part of the graph that people see. */
  isInGraph(entity: number): boolean {
    return this.#endPassagesOfEntity.at(entity) > 0;
  }

  /** How much a term tells. */
  idf(term: number): number {
    return Math.log((this.size + 1) / (this.#passagesOfTerm.at(term) + 0.5));
  }

  /** 1 / length of the vector of each slot's terms. */
  get inverseNorms(): Float64Array {
    this.#inverseNorms ??= this.#measure();
    return this.#inverseNorms;
  }

  /** The passages with relations of an entity, in their order. */
  passagesWith(entity: number): number[] {
    return [...this.entityPostings.read(entity)]
      .filter((slot) => this.#live.at(slot) === 1 && hasEnd(this.record(slot), entity))
      .sort((a, b) => this.orderOf(a) - this.orderOf(b));
  }

  /** The name of an entity as it was first spelled as an end of a relation. */
  nameOf(entity: number): string {
    if (this.#shown.at(entity) === 0) this.#shown.set(entity, this.#firstSpelling(entity) + 1);
    return this.vocabulary.spellings.text(this.#shown.at(entity) - 1);
  }

  #firstSpelling(entity: number): number {
    const [first] = this.passagesWith(entity);
    for (const { subject, object } of first === undefined ? [] : relationsOf(this.record(first))) {
      for (const end of [subject, object]) {
        if (this.vocabulary.entityOf(end) === entity) return end;
      }
    }
    return 0;
  }

  #put(
    id: string,
    metadata: Readonly<Record<string, unknown>> | undefined,
    order: number,
    contents: PassageContents,
  ): void {
    const slot = this.#ids.length;
    this.#ids.push(id);
    this.#metadata.push(metadata);
    this.#slots.set(id, slot);
    this.#orders.set(slot, order);
    this.#live.set(slot, 1);
    this.#positions.set(slot, this.#records.append(encode(contents)));
    for (const { term, count, isLower } of contents.terms) {
      this.termPostings.push(term, pack(slot, count));
      this.#passagesOfTerm.add(term, 1);
      if (isLower) this.#lowerPassagesOfTerm.add(term, 1);
    }
    for (const { entity, isEnd, isTitle } of contents.entities) {
      this.entityPostings.push(entity, slot);
      if (isTitle) this.titlePostings.push(entity, slot);
      this.#passagesOfEntity.add(entity, 1);
      if (isEnd) this.#endPassagesOfEntity.add(entity, 1);
    }
    this.#countRelations(contents.relations, 1);
    this.#totalLength += contents.length;
    this.#inverseNorms = null;
  }

  #countRelations(relations: Iterable<RelationInPassage>, by: 1 | -1): void {
    for (const { terms } of relations) {
      for (let at = 0; at < terms.length; at++) {
        this.#relationsOfTerm.add((terms[at] ?? 0) >>> COUNT_BITS, by);
      }
    }
  }

  #contents(slot: number): PassageContents {
    const record = this.record(slot);
    return {
      terms: [...termsOf(record)],
      entities: [...entitiesOf(record)],
      relations: [...relationsOf(record)],
      length: lengthOf(record),
      byRules: isByRules(record),
    };
  }

  #measure(): Float64Array {
    const idf = Float64Array.from({ length: this.vocabulary.terms.size }, (_, term) =>
      this.idf(term),
    );
    const norms = new Float64Array(this.slots);
    for (const slot of this.#slots.values()) {
      let sum = 0;
      visitTerms(this.record(slot), (term, count) => {
        sum += (countWeight(count) * (idf[term] ?? 0)) ** 2;
      });
      norms[slot] = sum === 0 ? 0 : 1 / Math.sqrt(sum);
    }
    return norms;
  }
}

/** New numbers for old ones, each asked for once. */
class Numbering {
  readonly #numbers = new Map<number, number>();
  readonly #numberOf: (old: number) => number;

  constructor(numberOf: (old: number) => number) {
    this.#numberOf = numberOf;
  }

  of(old: number): number {
    const known = this.#numbers.get(old);
    if (known !== undefined) return known;
    const number = this.#numberOf(old);
    this.#numbers.set(old, number);
    return number;
  }
}
