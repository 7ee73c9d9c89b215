import { analyze, queryTerms, relatedTerms } from '@trove/text/analyzer';
import {
  canonicalName,
  normalizeName,
  functionWords,
  isInCapitals,
  maxNameWords,
  wordsOf,
  type WordSpan,
} from '@trove/text/names';

import type { PassageStore } from '../store/passage-store.js';
import { initialsOf, withoutAccents } from '../store/vocabulary.js';

/** A one-word entity in more passages is not distinctive. */
const maxPassagesOfOneWord = 20;
/** Maximum length of the analysed question, in characters. */
const maxQuestionChars = 10_000;
/** Maximum number of distinct terms. More terms would match nearly everything. */
const maxTerms = 256;
/** An acronym with more long forms is ambiguous. */
const maxLongForms = 3;
/** Weight of a word with nearly the same meaning as one of the question. */
const relatedWeight = 0.4;
const maxRelatedTerms = 32;

export interface QuestionTerm {
  readonly term: number;
  /** Less for a term that only has nearly the same meaning. */
  readonly idf: number;
  /** Its weight in the question's vector. */
  readonly weight: number;
  /** True for a word that only phrases the question, such as `how`. */
  readonly isPhrasing: boolean;
}

export interface ParsedQuestion {
  /** Known terms, each once, in the order of the question. Then known terms of nearly the same meaning. */
  readonly terms: readonly QuestionTerm[];
  /** Sum of the IDF of the question's own terms. */
  readonly totalIdf: number;
  /** Named entities, each once, in the order of the question. */
  readonly links: readonly number[];
  /** Normalised words. */
  readonly words: ReadonlySet<string>;
}

export function parseQuestion(text: string, store: PassageStore): ParsedQuestion {
  const analysedText = text.slice(0, maxQuestionChars);
  const rawWords = wordsOf(analysedText);
  const hasCase = rawWords.some(({ isLower }) => isLower);
  const words = rawWords.flatMap((word, at) => toNameWords(word, hasCase, at > 0));
  const own = findTerms(analysedText, store);
  const terms = [...own, ...findRelatedTerms(analysedText, own, store)];
  const totalIdf = own.reduce((sum, { idf }) => sum + idf, 0);
  return {
    terms,
    totalIdf,
    links: linkEntities(words, store),
    words: new Set(words.map(({ name }) => name)),
  };
}

function findTerms(text: string, store: PassageStore): QuestionTerm[] {
  const content = new Set(queryTerms(text).terms);
  const counts = new Map<number, number>();
  const phrasing = new Set<number>();
  for (const spelled of analyze(text)) {
    const term = store.vocabulary.terms.find(spelled);
    if (term === undefined || !store.hasTerm(term)) continue;
    if (counts.size === maxTerms && !counts.has(term)) continue;
    counts.set(term, (counts.get(term) ?? 0) + 1);
    if (!content.has(spelled)) phrasing.add(term);
  }
  return Array.from(counts, ([term, count]) => {
    const idf = store.idf(term);
    return { term, idf, weight: (1 + Math.log(count)) * idf, isPhrasing: phrasing.has(term) };
  });
}

/** Finds known terms with nearly the same meaning as words of the question, with less weight. */
function findRelatedTerms(
  text: string,
  own: readonly QuestionTerm[],
  store: PassageStore,
): QuestionTerm[] {
  const known = new Set(own.map(({ term }) => term));
  const related: QuestionTerm[] = [];
  for (const spelled of new Set(queryTerms(text).terms.flatMap(relatedTerms))) {
    const term = store.vocabulary.terms.find(spelled);
    if (term === undefined || known.has(term) || !store.hasTerm(term)) continue;
    const idf = relatedWeight * store.idf(term);
    related.push({ term, idf, weight: idf, isPhrasing: false });
  }
  return related.slice(0, maxRelatedTerms);
}

/** A word of the question, normalised like names. */
interface NameWord {
  readonly name: string;
  /** True if the capital marks a name, and is not due to its position or a question in capitals. */
  readonly isCapital: boolean;
  /** True for a word in capitals in a question that is not in capitals. */
  readonly isAcronym: boolean;
}

function toNameWords({ raw, isUpper }: WordSpan, hasCase: boolean, isInside: boolean): NameWord[] {
  const isCapital = isUpper && hasCase && isInside;
  const isAcronym = hasCase && isInCapitals(raw);
  const names = normalizeName(raw).split(' ');
  return names.filter((name) => name !== '').map((name) => ({ name, isCapital, isAcronym }));
}

/** Finds the entities that words name, longest match first. */
function linkEntities(words: readonly NameWord[], store: PassageStore): number[] {
  const linked = new Set<number>();
  for (let at = 0; at < words.length;) {
    const { entities, length } = findLongestMatch(words, at, store);
    for (const entity of entities) linked.add(entity);
    for (const entity of findOtherForms(words.slice(at, at + length), store)) linked.add(entity);
    at += length;
  }
  return [...linked];
}

function findLongestMatch(
  words: readonly NameWord[],
  from: number,
  store: PassageStore,
): { entities: readonly number[]; length: number } {
  for (let length = Math.min(maxNameWords, words.length - from); length > 0; length--) {
    const name = words.slice(from, from + length);
    const spelled = name.map((word) => word.name).join(' ');
    const entities = findEntities(canonicalName(spelled), store).filter((entity) =>
      isDistinctive(entity, name, store),
    );
    if (entities.length > 0) return { entities, length };
  }
  return { entities: [], length: 1 };
}

/** Finds the long forms of an acronym, or the acronym of a long form. */
function findOtherForms(words: readonly NameWord[], store: PassageStore): number[] {
  const { vocabulary } = store;
  const isIndexed = (entity: number): boolean => store.passagesOfEntity(entity) > 0;
  const content = words.filter(({ name }) => !functionWords.has(name));
  const [only] = content;
  if (content.length === 1 && only?.isAcronym === true) {
    const found = vocabulary.entitiesWithInitials(only.name).filter(isIndexed);
    return found.length > maxLongForms ? [] : sortByName(found, store);
  }
  const initials = initialsOf(withoutAccents(words.map(({ name }) => name).join(' ')));
  const acronym = initials === '' ? undefined : vocabulary.entities.find(initials);
  if (acronym === undefined || !isIndexed(acronym)) return [];
  return store.isCommonNoun(initials, acronym) ? [] : [acronym];
}

/** Finds the entity of this name, else the entities that differ only in accents. */
function findEntities(name: string, store: PassageStore): readonly number[] {
  const { vocabulary } = store;
  const isIndexed = (entity: number): boolean => store.passagesOfEntity(entity) > 0;
  const exact = vocabulary.entities.find(name);
  if (exact !== undefined && isIndexed(exact)) return [exact];
  const plain = withoutAccents(name);
  const similar = vocabulary.entitiesWithAccents(plain).filter(isIndexed);
  const unaccented = plain === name ? undefined : vocabulary.entities.find(plain);
  const entities =
    unaccented !== undefined && isIndexed(unaccented) ? [unaccented, ...similar] : similar;
  return sortByName(entities, store);
}

function sortByName(entities: readonly number[], { vocabulary }: PassageStore): number[] {
  return entities.toSorted((a, b) =>
    vocabulary.entities.text(a) < vocabulary.entities.text(b) ? -1 : 1,
  );
}

/** Tests if a name has several words, or is one rare word and not a common noun. Ignores function words. */
function isDistinctive(entity: number, words: readonly NameWord[], store: PassageStore): boolean {
  const contentWords = words.filter(({ name }) => !functionWords.has(name));
  if (contentWords.length > 1) return true;
  const [word] = contentWords;
  if (word === undefined || word.name.length === 1) return false;
  if (store.passagesOfEntity(entity) > maxPassagesOfOneWord) return false;
  return word.isCapital || !store.isCommonNoun(word.name, entity);
}
