import {
  canonicalName,
  maxNameWords,
  nameSpans,
  sentenceNumbers,
  wordsOf,
} from '@trove/text/names';
import type { GraphPassage, Triplet } from '../types.js';
import {
  maxCount,
  maxTitleTf,
  pack,
  sentenceBitCount,
  sentenceMask,
  type EntityInPassage,
  type PassageContents,
  type RelationInPassage,
  type TermInPassage,
} from './passage-record.js';
import type { Vocabulary } from './vocabulary.js';

/** Maximum length of the analysed text, in characters. */
const maxTextChars = 100_000;
const maxTitleChars = 1000;
const maxRelations = 1000;
/** Maximum length of a name or predicate, in characters. */
const maxPartChars = 512;
/** Maximum number of analysed mentions of a name in a passage. */
const maxMentions = 100;
const titleWeight = 3;
const parenthesisPattern = /\s*[(（][^()（）]*[)）]\s*$/;

/** Analyses a passage. Interns its names in the vocabulary. */
export function analysePassage(passage: GraphPassage, vocabulary: Vocabulary): PassageContents {
  const text = passage.text.slice(0, maxTextChars);
  const title = (passage.title ?? '').slice(0, maxTitleChars);
  const words = wordsOf(text);
  const sentences = sentenceNumbers(text, words);
  const bits = sentenceBits(sentences);

  const terms = new TermsOfPassage();
  const around = [...new Set([title, ...(passage.section ?? [])])]
    .join('\n')
    .slice(0, maxTitleChars);
  for (const { raw, isContraction } of wordsOf(around)) {
    if (!isContraction) terms.addOfTitle(vocabulary.word(raw).terms);
  }
  for (const [at, { raw, isLower, isContraction }] of words.entries()) {
    if (!isContraction) terms.add(vocabulary.word(raw).terms, isLower, bits[at] ?? 0);
  }

  const relations = relationsIn(passage.triplets, vocabulary);
  const entities = new EntitiesOfPassage();
  for (const { subject, object } of relations) {
    for (const end of [subject, object]) entities.addEnd(vocabulary.entityOf(end));
  }
  const titleName = canonicalName(title.replace(parenthesisPattern, ''));
  if (titleName !== '') entities.addTitle(vocabulary.entity(titleName));
  const names = words.map(({ raw }) => vocabulary.word(raw).name);
  markMentions(names, bits, entities, vocabulary);
  for (const { from, to } of nameSpans(text, words, sentences)) {
    const name = canonicalName(names.slice(from, to).join(' '));
    if (name !== '') entities.add(vocabulary.entity(name), maskOf(bits, from, to));
  }
  return {
    terms: terms.list(),
    entities: entities.list(),
    relations,
    length: terms.length,
    byRules: passage.origin === 'rules',
    isPart: passage.section !== undefined,
  };
}

/** Returns the bit of each word's sentence. */
function sentenceBits(sentences: readonly number[]): number[] {
  const count = (sentences.at(-1) ?? 0) + 1;
  const groups = Math.max(count, sentenceBitCount);
  return sentences.map((sentence) => 1 << Math.floor((sentence * sentenceBitCount) / groups));
}

function maskOf(bits: readonly number[], from: number, to: number): number {
  let mask = 0;
  for (let at = from; at < to; at++) mask |= bits[at] ?? 0;
  return mask;
}

function relationsIn(triplets: readonly Triplet[], vocabulary: Vocabulary): RelationInPassage[] {
  const relations: RelationInPassage[] = [];
  for (const { subject, predicate, object } of triplets) {
    if (relations.length === maxRelations) break;
    const from = vocabulary.internSpelling(subject.slice(0, maxPartChars));
    const to = vocabulary.internSpelling(object.slice(0, maxPartChars));
    if (from === null || to === null) continue;
    const says = predicate.slice(0, maxPartChars);
    const terms = new Map<number, number>();
    for (const part of [vocabulary.spellings.text(from), says, vocabulary.spellings.text(to)]) {
      for (const { raw, isContraction } of wordsOf(part)) {
        if (isContraction) continue;
        for (const term of vocabulary.word(raw).terms) terms.set(term, (terms.get(term) ?? 0) + 1);
      }
    }
    relations.push({
      subject: from,
      predicate: vocabulary.predicate(says),
      object: to,
      terms: [...terms].map(([term, count]) => pack(term, count)),
    });
  }
  return relations;
}

/** Adds the sentences that mention the known entities literally. */
function markMentions(
  names: readonly string[],
  bits: readonly number[],
  entities: EntitiesOfPassage,
  vocabulary: Vocabulary,
): void {
  const places = new Map<string, number[]>();
  for (const [at, name] of names.entries()) {
    const known = places.get(name);
    if (known === undefined) places.set(name, [at]);
    else known.push(at);
  }
  for (const { entity } of entities.list()) {
    const parts = vocabulary.entities.text(entity).split(' ');
    if (parts.length > maxNameWords) continue;
    for (const at of (places.get(parts[0] ?? '') ?? []).slice(0, maxMentions)) {
      if (parts.every((part, offset) => names[at + offset] === part)) {
        entities.add(entity, maskOf(bits, at, at + parts.length));
      }
    }
  }
}

class TermsOfPassage {
  readonly #terms = new Map<
    number,
    { count: number; titleCount: number; isLower: boolean; sentences: number }
  >();
  /** Number of terms. Terms of the title count three times. */
  length = 0;

  addOfTitle(terms: readonly number[]): void {
    for (const term of terms) {
      const known = this.#get(term);
      known.count += 1;
      known.titleCount += 1;
      known.sentences = sentenceMask;
      this.length += titleWeight;
    }
  }

  add(terms: readonly number[], isLower: boolean, sentence: number): void {
    for (const term of terms) {
      const known = this.#get(term);
      known.count += 1;
      known.isLower ||= isLower;
      known.sentences |= sentence;
      this.length += 1;
    }
  }

  list(): TermInPassage[] {
    return Array.from(this.#terms, ([term, { count, titleCount, isLower, sentences }]) => ({
      term,
      count: Math.min(count, maxCount),
      titleCount: Math.min(titleCount, maxTitleTf),
      isLower,
      sentences,
    }));
  }

  #get(term: number): { count: number; titleCount: number; isLower: boolean; sentences: number } {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const added = { count: 0, titleCount: 0, isLower: false, sentences: 0 };
    this.#terms.set(term, added);
    return added;
  }
}

class EntitiesOfPassage {
  readonly #entities = new Map<number, { sentences: number; isEnd: boolean; isTitle: boolean }>();

  addEnd(entity: number): void {
    this.#get(entity).isEnd = true;
  }

  addTitle(entity: number): void {
    this.#get(entity).isTitle = true;
  }

  add(entity: number, sentences: number): void {
    this.#get(entity).sentences |= sentences;
  }

  list(): EntityInPassage[] {
    return Array.from(this.#entities, ([entity, details]) => ({ entity, ...details }));
  }

  #get(entity: number): { sentences: number; isEnd: boolean; isTitle: boolean } {
    const known = this.#entities.get(entity);
    if (known !== undefined) return known;
    const added = { sentences: 0, isEnd: false, isTitle: false };
    this.#entities.set(entity, added);
    return added;
  }
}
