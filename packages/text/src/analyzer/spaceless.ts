import { ideographClass, classOf } from './characters.js';
import { foldAccents, foldCase } from './fold.js';
import type { AnalyzedWord } from './word.js';

/** Maximum length of a piece of a run. Normalizing a hostile run takes more than linear time. */
export const maxPiece = 256;

/**
 * Analyses a run in a script without spaces. The terms are all pairs of adjacent characters and all single ideographs,
 * so a query of one ideograph matches.
 */
export function analyzeSpaceless(run: string): AnalyzedWord {
  const folded = foldCase(foldAccents(run));
  const characters = Array.from(folded);
  const terms: string[] = [];
  let previous = '';
  for (const character of characters) {
    if (previous !== '') terms.push(previous + character);
    if (characters.length === 1 || classOf(character.codePointAt(0) ?? 0) === ideographClass) {
      terms.push(character);
    }
    previous = character;
  }
  return { raw: run, folded, terms, parts: [] };
}
