import type { TaskPassage } from '@trove/core/model';
import { documentTerms, queryTerms } from '@trove/text/analyzer';

const maxSentences = 4;
/** Of words that stand together as in the question, next to 1 for a word. */
const pairWeight = 0.5;
const maxSentenceChars = 500;
/** Of one passage, in which sentences are looked for. */
const maxPassageChars = 20_000;
/** It names what is answered, and answers nothing. */
const headingPattern = /^#{1,6}\s/u;
/** Below this share of the question's words, a quotation is no answer. */
const minCoverage = 0.3;
/** What would be taken for the number of a passage. */
const citationPattern = /\[([\d,;\s]+)\]/gu;

interface QuotableSentence {
  /** Of its passage, from 0. */
  readonly rank: number;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** How many of the question's adjacent words are adjacent in it, too. */
  readonly pairs: number;
}

/**
 * The sentences of the passages, in their order, that together hold most of the question's words, each with its passage's
 * number; null when they hold too few of them.
 */
export function quote(
  question: string,
  passages: readonly Pick<TaskPassage, 'text'>[],
): string | null {
  const asked = queryTerms(question);
  const wanted = new Set(asked.terms);
  const pairs = new Set(asked.pairs);
  const sentences = passages.flatMap(({ text }, rank) =>
    sentencesOf(text).map((each): QuotableSentence => {
      const found = documentTerms({ content: each });
      return {
        rank,
        text: each,
        terms: new Set(found.contentTerms.filter((term) => wanted.has(term))),
        pairs: found.pairs.split(' ').filter((pair) => pairs.has(pair)).length,
      };
    }),
  );
  const open = new Set(wanted);
  const chosen: QuotableSentence[] = [];
  while (chosen.length < maxSentences && open.size > 0) {
    const best = findBest(sentences, open, chosen);
    if (best === null) break;
    chosen.push(best);
    for (const term of best.terms) open.delete(term);
  }
  const covered = wanted.size - open.size;
  if (chosen.length === 0 || covered < minCoverage * wanted.size) return null;
  return chosen
    .sort((left, right) => left.rank - right.rank)
    .map(({ rank, text }) => `“${toQuotation(text)}” [${rank + 1}]`)
    .join('\n');
}

/** One line, cut where it is too long. */
function toQuotation(text: string): string {
  const flat = text.replaceAll(/\s+/gu, ' ').trim();
  const cut =
    flat.length <= maxSentenceChars ? flat : `${flat.slice(0, maxSentenceChars).toWellFormed()}…`;
  return cut.replaceAll(citationPattern, '\\[$1\\]');
}

/** The sentence that adds most of what is still open; of equals, the one of the better passage. */
function findBest(
  sentences: readonly QuotableSentence[],
  open: ReadonlySet<string>,
  chosen: readonly QuotableSentence[],
): QuotableSentence | null {
  let best: QuotableSentence | null = null;
  let most = 0;
  for (const sentence of sentences) {
    const adds = [...sentence.terms].filter((term) => open.has(term)).length;
    if (adds === 0 || chosen.includes(sentence)) continue;
    const gain = adds + sentence.pairs * pairWeight;
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
