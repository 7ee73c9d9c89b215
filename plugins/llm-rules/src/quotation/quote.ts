import type { TaskPassage } from '@trove/core/model';
import { documentTerms, queryTerms } from '@trove/text/analyzer';

const maxSentences = 4;
/** Weight of a pair of adjacent words of the question. A word has weight 1. */
const pairWeight = 0.5;
const maxSentenceChars = 500;
/** Maximum length of the searched part of a passage. */
const maxPassageChars = 20_000;
/** A heading names a topic but answers nothing. */
const headingPattern = /^#{1,6}\s/u;
/** A quotation with a smaller share of the question's words is not an answer. */
const minCoverage = 0.3;
/** Text that looks like the number of a passage. */
const citationPattern = /\[([\d,;\s]+)\]/gu;

interface QuotableSentence {
  /** Rank of its passage, from 0. */
  readonly rank: number;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** Number of the question's adjacent words that are also adjacent in the sentence. */
  readonly pairs: number;
}

/**
 * Quotes the sentences that together contain most of the question's words, in the order of the passages. Appends the
 * passage number to each. Returns null if too many words are missing.
 */
export function quote(
  question: string,
  passages: readonly Pick<TaskPassage, 'text'>[],
): string | null {
  const analyzed = queryTerms(question);
  const questionTerms = new Set(analyzed.terms);
  const pairs = new Set(analyzed.pairs);
  const sentences = passages.flatMap(({ text }, rank) =>
    sentencesOf(text).map((each): QuotableSentence => {
      const found = documentTerms({ content: each });
      return {
        rank,
        text: each,
        terms: new Set(found.contentTerms.filter((term) => questionTerms.has(term))),
        pairs: found.pairs.split(' ').filter((pair) => pairs.has(pair)).length,
      };
    }),
  );
  const uncovered = new Set(questionTerms);
  const chosen: QuotableSentence[] = [];
  while (chosen.length < maxSentences && uncovered.size > 0) {
    const best = findBest(sentences, uncovered, chosen);
    if (best === null) break;
    chosen.push(best);
    for (const term of best.terms) uncovered.delete(term);
  }
  const covered = questionTerms.size - uncovered.size;
  if (chosen.length === 0 || covered < minCoverage * questionTerms.size) return null;
  return chosen
    .sort((left, right) => left.rank - right.rank)
    .map(({ rank, text }) => `“${toQuotation(text)}” [${rank + 1}]`)
    .join('\n');
}

/** Joins a text into one line and cuts it at the limit. */
function toQuotation(text: string): string {
  const flat = text.replaceAll(/\s+/gu, ' ').trim();
  const cut =
    flat.length <= maxSentenceChars ? flat : `${flat.slice(0, maxSentenceChars).toWellFormed()}…`;
  return cut.replaceAll(citationPattern, '\\[$1\\]');
}

/** Returns the sentence that adds most of the uncovered words. The better passage wins a tie. */
function findBest(
  sentences: readonly QuotableSentence[],
  uncovered: ReadonlySet<string>,
  chosen: readonly QuotableSentence[],
): QuotableSentence | null {
  let best: QuotableSentence | null = null;
  let most = 0;
  for (const sentence of sentences) {
    const newTerms = [...sentence.terms].filter((term) => uncovered.has(term)).length;
    if (newTerms === 0 || chosen.includes(sentence)) continue;
    const gain = newTerms + sentence.pairs * pairWeight;
    if (gain > most) [best, most] = [sentence, gain];
  }
  return best;
}

function sentencesOf(text: string): string[] {
  return text
    .slice(0, maxPassageChars)
    .split(/(?<=[.!?。！？])\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !headingPattern.test(sentence));
}
