import { analyze } from '@trove/text/analyzer';
import {
  normalizeName,
  functionWords,
  maxNameWords,
  wordsOf,
  type WordSpan,
} from '@trove/text/names';

import type { PassageStore } from '../store/passage-store.js';
import { withoutAccents } from '../store/vocabulary.js';

/** A one-word entity in more passages is not distinctive. */
const maxPassagesOfOneWord = 20;
/** Maximum length of the analysed question, in characters. */
const maxQuestionChars = 10_000;
/** Maximum number of distinct terms. More terms would match nearly everything. */
const maxTerms = 256;

export interface QuestionTerm {
  readonly term: number;
  readonly idf: number;
  /** Its weight in the question's vector. */
  readonly weight: number;
}

export interface ParsedQuestion {
  /** Known terms, each once, in the order of the question. */
  readonly terms: readonly QuestionTerm[];
  /** Sum of their IDF. */
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
  const words = rawWords.flatMap((word, at) => toNameWords(word, hasCase && at > 0));
  const terms = findTerms(analysedText, store);
  const totalIdf = terms.reduce((sum, { idf }) => sum + idf, 0);
  return {
    terms,
    totalIdf,
    links: linkEntities(words, store),
    words: new Set(words.map(({ name }) => name)),
  };
}

function findTerms(text: string, store: PassageStore): QuestionTerm[] {
  const counts = new Map<number, number>();
  for (const spelled of analyze(text)) {
    const term = store.vocabulary.terms.find(spelled);
    if (term === undefined || !store.hasTerm(term)) continue;
    if (counts.size === maxTerms && !counts.has(term)) continue;
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return Array.from(counts, ([term, count]) => {
    const idf = store.idf(term);
    return { term, idf, weight: (1 + Math.log(count)) * idf };
  });
}

/** A word of the question, normalised like names. */
interface NameWord {
  readonly name: string;
  /** True if the capital marks a name, and is not due to its position or a question in capitals. */
  readonly isCapital: boolean;
}

function toNameWords({ raw, isUpper }: WordSpan, canMarkName: boolean): NameWord[] {
  const names = normalizeName(raw).split(' ');
  return names
    .filter((name) => name !== '')
    .map((name) => ({ name, isCapital: isUpper && canMarkName }));
}

/** Finds the entities that words name, longest match first. */
function linkEntities(words: readonly NameWord[], store: PassageStore): number[] {
  const linked = new Set<number>();
  for (let at = 0; at < words.length;) {
    const { entities, length } = findLongestMatch(words, at, store);
    for (const entity of entities) linked.add(entity);
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
    const entities = findEntities(spelled, store).filter((entity) =>
      isDistinctive(entity, name, store),
    );
    if (entities.length > 0) return { entities, length };
  }
  return { entities: [], length: 1 };
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
