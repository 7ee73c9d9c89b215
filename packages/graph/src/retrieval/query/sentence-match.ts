import { sentenceBitCount } from '../store/passage-record.js';
import type { PassageCoverage } from './coverage.js';
import type { ParsedQuestion } from './question.js';

const wholeShare = 0.5;
const phrasingWeight = 0.3;

/**
 * Returns how well a passage answers a question by its words, in [0,1]: the share of the question that the passage
 * covers, and the share that its best sentence covers.
 */
export function sentenceMatch(
  { shares, sentences }: PassageCoverage,
  { terms, totalIdf }: ParsedQuestion,
): number {
  let total = totalIdf;
  let whole = 0;
  const bySentence = new Float64Array(sentenceBitCount);
  for (const [place, { idf: full, isPhrasing }] of terms.entries()) {
    const idf = isPhrasing ? phrasingWeight * full : full;
    total -= full - idf;
    const share = shares[place] ?? 0;
    const mask = sentences[place] ?? 0;
    whole += idf * share;
    for (let bit = 0; bit < sentenceBitCount; bit++) {
      if ((mask & (1 << bit)) !== 0) bySentence[bit] = (bySentence[bit] ?? 0) + idf;
    }
  }
  const best = Math.max(...bySentence);
  return total <= 0 ? 0 : Math.min(1, (wholeShare * whole + (1 - wholeShare) * best) / total);
}
