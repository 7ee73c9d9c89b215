import type { TaskPassage } from '@trove/core/model';
import { answerTest } from './answer-kind.js';
import { QuestionTerms, type CoveredTerms } from './question-terms.js';
import { quotableSentences, union, type QuotableSentence } from './quotable.js';

const maxSentences = 4;
const maxSentenceChars = 500;
/** Maximum length of the searched part of a passage. */
const maxPassageChars = 20_000;
/** Quotations are no answer if they, their headings and titles contain a smaller share of the question's words. */
const minCoverage = 0.3;
/** A further sentence that adds no word of the question has nearly the score of the best one. */
const minRelativeScore = 0.8;
/** Share of a word's weight by the place where it occurs. */
const placeWeights = { own: 1, section: 0.6, title: 0.35, previous: 0.25 };
/** Weights relative to a rare word of the question. */
const pairWeight = 0.25;
const rankWeight = 0.12;
const answerWeight = 0.35;
const firstWeight = 0.15;
const codePenalty = 0.5;
/** Text that looks like the number of a passage. */
const citationPattern = /\[([\d,;\s]+)\]/gu;

/**
 * Quotes the sentences that answer a question best, in the order of the passages. Appends the passage number to each.
 * Returns null if too many of its words are missing.
 */
export function quote(
  question: string,
  passages: readonly Pick<TaskPassage, 'text'>[] | readonly TaskPassage[],
): string | null {
  const terms = new QuestionTerms(question);
  const sentences = passages.flatMap((passage, rank) => {
    const title = 'title' in passage ? passage.title : null;
    const text = passage.text.slice(0, maxPassageChars);
    return quotableSentences({ title, text }, rank, terms);
  });
  const chosen = choose(sentences, question, terms);
  const covered = union(chosen.flatMap(({ own, section, title }) => [own.covered, section, title]));
  const isOwn = chosen.some(({ own, section }) => own.covered.size > 0 || section.size > 0);
  const share = [...covered.values()].reduce((sum, each) => sum + each, 0);
  if (!isOwn || share < minCoverage * terms.count) return null;
  return chosen
    .sort((left, right) => left.rank - right.rank)
    .map(({ rank, text }) => `“${toQuotation(text)}” [${rank + 1}]`)
    .join('\n');
}

/** Chooses the best sentence, then sentences with further words of the question, then sentences of nearly its score. */
function choose(
  sentences: readonly QuotableSentence[],
  question: string,
  terms: QuestionTerms,
): QuotableSentence[] {
  const weights = terms.weights(sentences.map(({ own }) => own.covered));
  const looksLikeAnswer = answerTest(question);
  const scored = sentences
    .map((sentence) => ({ sentence, score: scoreOf(sentence, weights, looksLikeAnswer) }))
    .filter(({ sentence, score }) => score > 0 && coversAny(sentence))
    .sort((left, right) => right.score - left.score);
  const [best] = scored;
  if (best === undefined) return [];
  const chosen = [best.sentence];
  const texts = new Set([best.sentence.text]);
  const covered = new Set(best.sentence.own.covered.keys());
  const add = (sentence: QuotableSentence): void => {
    chosen.push(sentence);
    texts.add(sentence.text);
    for (const at of sentence.own.covered.keys()) covered.add(at);
  };
  while (chosen.length < maxSentences) {
    const next = bestOf(scored, ({ sentence, score }) => {
      const added = sumOf(weights, sentence.own.covered, covered);
      return added === 0 || texts.has(sentence.text) ? 0 : added + score / 4;
    });
    if (next === null) break;
    add(next.sentence);
  }
  for (const { sentence, score } of scored) {
    if (chosen.length === maxSentences || score < best.score * minRelativeScore) break;
    if (!texts.has(sentence.text)) add(sentence);
  }
  return chosen;
}

function coversAny({ own, section, title }: QuotableSentence): boolean {
  return own.covered.size + section.size + title.size > 0;
}

function scoreOf(
  { rank, text, own, section, title, previous, isFirst, isCode }: QuotableSentence,
  weights: readonly number[],
  looksLikeAnswer: ((sentence: string) => boolean) | null,
): number {
  const places = [
    { covered: own.covered, share: placeWeights.own },
    { covered: section, share: placeWeights.section },
    { covered: title, share: placeWeights.title },
    { covered: previous, share: placeWeights.previous },
  ];
  let score = 0;
  for (const [at, weight] of weights.entries()) {
    const shares = places.map(({ covered, share }) => share * (covered.get(at) ?? 0));
    score += weight * Math.max(...shares);
  }
  return (
    score +
    own.pairs * pairWeight +
    rankWeight / (1 + rank) +
    (looksLikeAnswer?.(text) === true ? answerWeight : 0) +
    (isFirst && section.size > 0 ? firstWeight : 0) -
    (isCode ? codePenalty : 0)
  );
}

/** Returns the weight of the words that a sentence covers and the others do not. */
function sumOf(
  weights: readonly number[],
  covered: CoveredTerms,
  except: ReadonlySet<number>,
): number {
  let sum = 0;
  for (const [at, share] of covered) if (!except.has(at)) sum += share * (weights[at] ?? 0);
  return sum;
}

/** Returns the item with the highest positive value, the first of equal ones. */
function bestOf<T>(items: readonly T[], valueOf: (item: T) => number): T | null {
  let best: T | null = null;
  let highest = 0;
  for (const item of items) {
    const value = valueOf(item);
    if (value > highest) [best, highest] = [item, value];
  }
  return best;
}

/** Joins a text into one line and cuts it at the limit. */
function toQuotation(text: string): string {
  const flat = text.replaceAll(/\s+/gu, ' ').trim();
  const cut =
    flat.length <= maxSentenceChars ? flat : `${flat.slice(0, maxSentenceChars).toWellFormed()}…`;
  return cut.replaceAll(citationPattern, '\\[$1\\]');
}
