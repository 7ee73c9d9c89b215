import { cutBetweenCharacters } from './characters.js';
import { foldAccents, foldCase } from './fold.js';
import { isNoise, splitIdentifier } from './identifier.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stop-words.js';

/** Longest term kept, in UTF-16 code units; what is longer is cut there. */
const MAX_TERM_LENGTH = 40;

/** One word of a text, analysed. */
export interface Word {
  /** As it stands in the text. */
  readonly raw: string;
  /** The word folded, unstemmed and in one piece. */
  readonly folded: string;
  /** What is indexed: the stems of its parts and, of an identifier, the whole. Empty: a stop word. */
  readonly terms: readonly string[];
  /** The stems of its parts alone, in order: what pairs are made of. */
  readonly parts: readonly string[];
}

function cut(term: string): string {
  if (term.length <= MAX_TERM_LENGTH) return term;
  return term.slice(0, cutBetweenCharacters(term, MAX_TERM_LENGTH));
}

/** Analyses one run of letters, digits, marks and connectors. */
export function analyzeWord(raw: string, ascii: boolean): Word {
  const plain = ascii ? raw : foldAccents(raw);
  const pieces = splitIdentifier(plain).map(foldCase);
  const folded = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
  if (isNoise(folded.length, pieces)) {
    const whole = [cut(folded)];
    return { raw, folded, terms: whole, parts: whole };
  }
  const parts: string[] = [];
  for (const piece of pieces) {
    if (!STOP_WORDS.has(piece)) parts.push(cut(stem(piece)));
  }
  const terms = pieces.length > 1 ? [cut(folded), ...parts] : parts;
  return { raw, folded, terms, parts };
}
