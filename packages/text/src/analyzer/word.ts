import { cutBetweenCharacters } from './characters.js';
import { foldAccents, foldCase } from './fold.js';
import { isNoise, splitIdentifier } from './identifier.js';
import { stem } from './stem.js';
import { stopWords } from './stop-words.js';

/** Maximum length of a term in UTF-16 code units. Longer terms are cut. */
const maxTermLength = 40;

/**
 * An analysed word. Millions are read in random memory order, where each pointer costs time, so single values are not
 * wrapped in arrays.
 */
export interface AnalyzedWord {
  /** The word as written. */
  readonly raw: string;
  /** The folded word, unstemmed and in one piece. */
  readonly folded: string;
  /** The terms to index: the stems of its parts and, for an identifier, also the whole. Empty for a stop word. */
  readonly terms: string | readonly string[];
  /** Hashes of the stems of its parts, in order, from which pairs are made. */
  readonly parts: number | readonly number[];
}

/** Cuts a term to the maximum length. */
export function cutTerm(term: string): string {
  if (term.length <= maxTermLength) return term;
  return term.slice(0, cutBetweenCharacters(term, maxTermLength));
}

/** Analyses one run of letters, digits, marks and connectors. */
export function analyzeWord(raw: string, ascii: boolean): AnalyzedWord {
  const plain = ascii ? raw : foldAccents(raw);
  const pieces = splitIdentifier(plain).map(foldCase);
  const folded = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
  if (isNoise(folded.length, pieces)) return singleTermWord(raw, folded, cutTerm(folded));
  const stems = pieces
    .filter((piece) => !stopWords.has(piece))
    .map((piece) => cutTerm(stem(piece)));
  const [only] = stems;
  if (pieces.length === 1 && only !== undefined) return singleTermWord(raw, folded, only);
  const terms = pieces.length > 1 ? [cutTerm(folded), ...stems] : [];
  return { raw, folded, terms, parts: stems.map(hashOf) };
}

function singleTermWord(raw: string, folded: string, term: string): AnalyzedWord {
  // Equal strings share memory.
  return { raw, folded, terms: term === raw ? raw : term, parts: hashOf(term) };
}

/** FNV-1a. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193);
  return hash;
}
