import { NumberArray } from './numbers.js';
import { countBits, type PassageContents } from './passage-record.js';

/** Counts the passages and relations of terms and entities, without removed passages. */
export class OccurrenceCounts {
  readonly #passagesOfTerm = new NumberArray();
  readonly #lowerPassagesOfTerm = new NumberArray();
  readonly #relationsOfTerm = new NumberArray();
  readonly #passagesOfEntity = new NumberArray();
  readonly #endPassagesOfEntity = new NumberArray();
  #totalLength = 0;

  get bytes(): number {
    const all = [
      this.#passagesOfTerm,
      this.#lowerPassagesOfTerm,
      this.#relationsOfTerm,
      this.#passagesOfEntity,
      this.#endPassagesOfEntity,
    ];
    return all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Total length of all passages, in terms. */
  get totalLength(): number {
    return this.#totalLength;
  }

  /** Counts a passage that is added (1) or removed (-1). */
  count({ terms, entities, relations, length }: PassageContents, by: 1 | -1): void {
    for (const { term, isLower } of terms) {
      this.#passagesOfTerm.add(term, by);
      if (isLower) this.#lowerPassagesOfTerm.add(term, by);
    }
    for (const { entity, isEnd } of entities) {
      this.#passagesOfEntity.add(entity, by);
      if (isEnd) this.#endPassagesOfEntity.add(entity, by);
    }
    for (const relation of relations) {
      for (let at = 0; at < relation.terms.length; at++) {
        this.#relationsOfTerm.add((relation.terms[at] ?? 0) >>> countBits, by);
      }
    }
    this.#totalLength += by * length;
  }

  passagesOfTerm(term: number): number {
    return this.#passagesOfTerm.at(term);
  }

  /** Returns the number of passages with a term in lower case, so not as a name. */
  lowerPassagesOfTerm(term: number): number {
    return this.#lowerPassagesOfTerm.at(term);
  }

  relationsOfTerm(term: number): number {
    return this.#relationsOfTerm.at(term);
  }

  passagesOfEntity(entity: number): number {
    return this.#passagesOfEntity.at(entity);
  }

  /** Returns the number of passages in which an entity is an end of a relation. */
  endPassagesOfEntity(entity: number): number {
    return this.#endPassagesOfEntity.at(entity);
  }
}
