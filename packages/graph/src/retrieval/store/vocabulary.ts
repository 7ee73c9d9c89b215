import { analyze } from '@trove/text/analyzer';
import { canonicalName, functionWords, normalizeName } from '@trove/text/names';

import { NumberArray } from './numbers.js';
import { StringTable } from './string-table.js';

/** Accents of Latin, Greek and Cyrillic. In other scripts these marks are letters. */
const accentPattern = /[\u0300-\u036f]/g;
const maxCachedWords = 20_000;
const bytesPerCachedWord = 200;
const bytesPerAcronym = 100;
/** Shorter and longer series of initials are rarely used as acronyms. */
const acronymLengths = { min: 2, max: 8 };

/** A word with the numbers of its terms. */
export interface WordTerms {
  /** Its normalised form. */
  readonly name: string;
  /** Numbers of its terms. */
  readonly terms: readonly number[];
}

/** Numbers terms, entities and spellings of names. */
export class Vocabulary {
  readonly terms = new StringTable();
  /** By canonical name. */
  readonly entities = new StringTable();
  /** Entities with accents, by their names without accents. */
  readonly #unaccented = new Map<string, number[]>();
  /** Entities of several words, by the initials of these words. */
  readonly #initials = new Map<string, number[]>();
  readonly predicates = new StringTable();
  /** The normalised form of each predicate. */
  readonly #predicateForms = new NumberArray();
  readonly #forms = new StringTable();
  readonly spellings = new StringTable();
  /** The entity of each spelling. */
  readonly #spelled = new NumberArray();
  #words = new Map<string, WordTerms>();

  get bytes(): number {
    const parts = [
      this.terms,
      this.entities,
      this.predicates,
      this.#predicateForms,
      this.#forms,
      this.spellings,
      this.#spelled,
    ];
    const cached = this.#words.size * bytesPerCachedWord + this.#initials.size * bytesPerAcronym;
    return parts.reduce((sum, { bytes }) => sum + bytes, cached);
  }

  word(raw: string): WordTerms {
    const known = this.#words.get(raw);
    if (known !== undefined) return known;
    const terms = analyze(raw).map((term) => this.terms.intern(term));
    const word = { name: normalizeName(raw), terms };
    if (this.#words.size >= maxCachedWords) this.#words = new Map();
    this.#words.set(raw, word);
    return word;
  }

  /** Returns the number of a canonical name. */
  entity(name: string): number {
    const known = this.entities.find(name);
    if (known !== undefined) return known;
    const entity = this.entities.intern(name);
    const plain = withoutAccents(name);
    if (plain !== name) this.#unaccented.set(plain, [...this.entitiesWithAccents(plain), entity]);
    const initials = initialsOf(plain);
    const { min, max } = acronymLengths;
    if (initials.length >= min && initials.length <= max) {
      const others = this.#initials.get(initials);
      if (others === undefined) this.#initials.set(initials, [entity]);
      else others.push(entity);
    }
    return entity;
  }

  /** Returns the entities whose names differ only in accents. */
  entitiesWithAccents(plain: string): readonly number[] {
    return this.#unaccented.get(plain) ?? [];
  }

  /** Returns the entities whose words have these initials, without function words. */
  entitiesWithInitials(initials: string): readonly number[] {
    return this.#initials.get(initials) ?? [];
  }

  /** Returns the number of a spelling, or null if nothing remains after normalisation. */
  internSpelling(name: string): number | null {
    const known = this.spellings.find(name);
    if (known !== undefined) return known;
    const canonical = canonicalName(name);
    if (canonical === '') return null;
    const spelling = this.spellings.intern(name);
    this.#spelled.set(spelling, this.entity(canonical));
    return spelling;
  }

  /** Returns the number of a predicate's spelling. */
  predicate(text: string): number {
    const known = this.predicates.find(text);
    if (known !== undefined) return known;
    const predicate = this.predicates.intern(text);
    this.#predicateForms.set(predicate, this.#forms.intern(normalizeName(text)));
    return predicate;
  }

  /** Returns a number that is equal for all spellings of a predicate. */
  formOf(predicate: number): number {
    return this.#predicateForms.at(predicate);
  }

  entityOf(spelling: number): number {
    return this.#spelled.at(spelling);
  }
}

/** Returns the initials of a name of several words, without function words. */
export function initialsOf(name: string): string {
  const words = name.split(' ').filter((word) => !functionWords.has(word));
  return words.length < 2 ? '' : words.map((word) => word.charAt(0)).join('');
}

/** Removes accents, as people without such keys type a name. */
export function withoutAccents(name: string): string {
  return name.normalize('NFD').replace(accentPattern, '').normalize('NFC');
}
