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

/** An entity of one word in more passages than this tells nothing. */
const maxPassagesOfOneWord = 20;
/** The beginning of a question that counts, in characters. */
const maxQuestionChars = 10_000;
/** Different terms that count: with so many nearly everything is found anyway. */
const maxTerms = 256;

export interface QuestionTerm {
  readonly term: number;
  readonly idf: number;
  /** Its weight in the question's vector. */
  readonly weight: number;
}

export interface ParsedQuestion {
  /** The terms that the index knows, each once, in the order of the question. */
  readonly terms: readonly QuestionTerm[];
  /** Sum of their IDF. */
  readonly totalIdf: number;
  /** Entities named in it, each once, in its order. */
  readonly links: readonly number[];
  /** Its words, normalised. */
  readonly words: ReadonlySet<string>;
}

export function parseQuestion(text: string, store: PassageStore): ParsedQuestion {
  const asked = text.slice(0, maxQuestionChars);
  const asWritten = wordsOf(asked);
  const hasCase = asWritten.some(({ isLower }) => isLower);
  const words = asWritten.flatMap((word, at) => toNameWords(word, hasCase && at > 0));
  const terms = findTerms(asked, store);
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

/** A word of the question as names are compared by. */
interface NameWord {
  readonly name: string;
  /** Whether it is written as a name: in capitals, and not because the question begins there or is all in capitals. */
  readonly isCapital: boolean;
}

function toNameWords({ raw, isUpper }: WordSpan, mayTell: boolean): NameWord[] {
  const names = normalizeName(raw).split(' ');
  return names
    .filter((name) => name !== '')
    .map((name) => ({ name, isCapital: isUpper && mayTell }));
}

/** The entities that words name, longest match first. */
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

/** The entity of that name, or else those that differ from it in accents only. */
function findEntities(name: string, store: PassageStore): readonly number[] {
  const { vocabulary } = store;
  const isThere = (entity: number): boolean => store.passagesOfEntity(entity) > 0;
  const exact = vocabulary.entities.find(name);
  if (exact !== undefined && isThere(exact)) return [exact];
  const plain = withoutAccents(name);
  const similar = vocabulary.entitiesWithAccents(plain).filter(isThere);
  const unaccented = plain === name ? undefined : vocabulary.entities.find(plain);
  const found =
    unaccented !== undefined && isThere(unaccented) ? [unaccented, ...similar] : similar;
  return found.toSorted((a, b) =>
    vocabulary.entities.text(a) < vocabulary.entities.text(b) ? -1 : 1,
  );
}

/** Whether a name is more than one word, or else rare and no common noun; function words do not count. */
function isDistinctive(entity: number, words: readonly NameWord[], store: PassageStore): boolean {
  const telling = words.filter(({ name }) => !functionWords.has(name));
  if (telling.length > 1) return true;
  const [word] = telling;
  if (word === undefined || word.name.length === 1) return false;
  if (store.passagesOfEntity(entity) > maxPassagesOfOneWord) return false;
  return word.isCapital || !store.isCommonNoun(word.name, entity);
}
