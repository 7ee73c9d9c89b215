import type { GraphPassage } from '../types.js';
import { analysePassage } from './passage-analysis.js';
import { OccurrenceCounts } from './counts.js';
import { NumberArray } from './numbers.js';
import {
  decode,
  encode,
  isRelationEnd,
  maxCount,
  pack,
  relationsOf,
  visitTerms,
  type PassageContents,
} from './passage-record.js';
import { Postings } from './postings.js';
import { Records } from './records.js';
import { createRenumbering } from './renumbering.js';
import { Slots } from './slots.js';
import { Vocabulary } from './vocabulary.js';

/** `1 + ln n` for all counts of a record. */
const logarithmicCounts = Float64Array.from({ length: maxCount + 1 }, (_, n) =>
  n === 0 ? 0 : 1 + Math.log(n),
);

/** Returns the weight of `count` occurrences of a term, before its IDF. */
export function countWeight(count: number): number {
  return logarithmicCounts[count] ?? 0;
}

/** The indexed passages of a graph. Removed passages take up space until `compact`. */
export class PassageStore {
  readonly vocabulary = new Vocabulary();
  readonly slots = new Slots();
  readonly counts = new OccurrenceCounts();
  /** By term: `slot << 8 | count`, including removed passages. */
  readonly termPostings = new Postings();
  /** By entity: slots, including removed passages; in `titlePostings`, those titled with it. */
  readonly entityPostings = new Postings();
  readonly titlePostings = new Postings();
  readonly #records = new Records();
  readonly #positions = new NumberArray();
  /** One more than the first spelling of an entity; 0 if it must be looked up. */
  readonly #shown = new NumberArray();
  #inverseNorms: Float64Array | null = null;

  /** Number of passages. */
  get size(): number {
    return this.slots.size;
  }

  get bytes(): number {
    const parts = [
      this.vocabulary,
      this.slots,
      this.counts,
      this.termPostings,
      this.entityPostings,
      this.titlePostings,
      this.#records,
      this.#positions,
      this.#shown,
    ];
    return parts.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Adds a passage. A passage with a known id replaces the old one at its position. */
  add(passage: GraphPassage): void {
    const { id, metadata } = passage;
    const contents = analysePassage(passage, this.vocabulary);
    const replaced = this.slots.of(id);
    if (replaced === undefined) return this.#put(this.slots.add(id, metadata), contents);
    this.remove(id);
    this.#put(this.slots.add(id, metadata, this.slots.orderOf(replaced)), contents);
    this.#forgetNames(contents);
  }

  remove(id: string): void {
    const slot = this.slots.of(id);
    if (slot === undefined) return;
    const contents = decode(this.record(slot));
    this.counts.count(contents, -1);
    this.slots.remove(slot);
    this.#forgetNames(contents);
    this.#inverseNorms = null;
  }

  /** Returns a copy without the removed passages. */
  compact(): PassageStore {
    const store = new PassageStore();
    const renumber = createRenumbering(this.vocabulary, store.vocabulary);
    for (const slot of this.slots.inOrder(this.slots.live())) {
      const to = store.slots.add(this.slots.idOf(slot), this.slots.metadataOf(slot));
      store.#put(to, renumber(decode(this.record(slot))));
    }
    return store;
  }

  record(slot: number): Uint32Array {
    return this.#records.at(this.#positions.at(slot));
  }

  /** Mean length of a passage, in terms. */
  get meanLength(): number {
    return this.size === 0 ? 0 : this.counts.totalLength / this.size;
  }

  /** Tests if a passage or a relation has a term. */
  hasTerm(term: number): boolean {
    return this.counts.passagesOfTerm(term) > 0 || this.counts.relationsOfTerm(term) > 0;
  }

  /** Returns the inverse document frequency of a term. */
  idf(term: number): number {
    return Math.log((this.size + 1) / (this.counts.passagesOfTerm(term) + 0.5));
  }

  /** Inverse length of each slot's term vector. */
  get inverseNorms(): Float64Array {
    this.#inverseNorms ??= this.#measure();
    return this.#inverseNorms;
  }

  passagesOfEntity(entity: number): number {
    return this.counts.passagesOfEntity(entity);
  }

  /** Tests if more passages have a word in lower case than have the entity of this name. */
  isCommonNoun(word: string, entity: number): boolean {
    const passages = this.passagesOfEntity(entity);
    return this.vocabulary
      .word(word)
      .terms.every((term) => this.counts.lowerPassagesOfTerm(term) > passages);
  }

  /** Tests if an entity is an end of a relation. Only such entities are visible. */
  isInGraph(entity: number): boolean {
    return this.counts.endPassagesOfEntity(entity) > 0;
  }

  /** Returns the passages with relations of an entity, in their order. */
  passagesWith(entity: number): number[] {
    const slots = this.entityPostings
      .read(entity)
      .filter((slot) => this.slots.isLive(slot) && isRelationEnd(this.record(slot), entity));
    return this.slots.inOrder(slots);
  }

  /** Returns the first spelling of an entity as an end of a relation. */
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

  /** Names the new ends of relations from this passage, because looking up each end later is slow. */
  #nameEnds({ relations }: PassageContents): void {
    for (const { subject, object } of relations) {
      for (const spelling of [subject, object]) {
        const entity = this.vocabulary.entityOf(spelling);
        if (this.isInGraph(entity) || this.#shown.at(entity) !== 0) continue;
        this.#shown.set(entity, spelling + 1);
      }
    }
  }

  #forgetNames({ entities }: PassageContents): void {
    for (const { entity, isEnd } of entities) if (isEnd) this.#shown.set(entity, 0);
  }

  #put(slot: number, contents: PassageContents): void {
    this.#positions.set(slot, this.#records.append(encode(contents)));
    this.#nameEnds(contents);
    for (const { term, count } of contents.terms) this.termPostings.push(term, pack(slot, count));
    for (const { entity, isTitle } of contents.entities) {
      this.entityPostings.push(entity, slot);
      if (isTitle) this.titlePostings.push(entity, slot);
    }
    this.counts.count(contents, 1);
    this.#inverseNorms = null;
  }

  #measure(): Float64Array {
    const idf = Float64Array.from({ length: this.vocabulary.terms.size }, (_, term) =>
      this.idf(term),
    );
    const norms = new Float64Array(this.slots.length);
    for (const slot of this.slots.live()) {
      let sum = 0;
      visitTerms(this.record(slot), (term, count) => {
        sum += (countWeight(count) * (idf[term] ?? 0)) ** 2;
      });
      norms[slot] = sum === 0 ? 0 : 1 / Math.sqrt(sum);
    }
    return norms;
  }
}
