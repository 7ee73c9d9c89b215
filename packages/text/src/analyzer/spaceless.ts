import { ideographClass, classOf } from './characters.js';
import { foldAccents, foldCase } from './fold.js';
import type { AnalyzedWord } from './word.js';

/** Runs are analysed in pieces, because normalising hostile runs takes more than linear time. */
export const maxPiece = 256;

/**
 * Terms of a run in a script without spaces: every pair of adjacent characters, and every ideograph alone, so that a
 * query of one ideograph finds it.
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
