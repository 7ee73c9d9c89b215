import type { IndexScope } from '@trove/core/index';
import {
  queryForms,
  respellings,
  shows,
  spelledWords,
  wordsIndexedAs,
  type Respelling,
  type SpelledWord,
} from '@trove/text/analyzer';
import type { Words } from '../../generations/selection/active-words.js';
import { asWritten, type Written } from './literal-query.js';

/**
 * How long a term is known to be indexed before it is looked up again: one that is gone meanwhile costs no more than that an
 * error in it is not corrected.
 */
const knownForMs = 60 * 60 * 1000;
/** About ten megabytes. */
const knownAtMost = 100_000;
/** How many words of one query are respelt. */
const respeltAtMost = 8;
/** With how many spellings a word is looked up. */
const spellingsAtMost = 2;
/** Rows with a spelling are counted up to here: what has more is common. */
const countedAtMost = 1000;
/** How many of the terms that a word may stand for are looked at in texts, the commonest, and in how many texts each. */
const seenTerms = 6;
const seenTexts = 20;

/** A word that nothing indexed has, and those that were looked up instead, the most frequent first. */
export interface Correction {
  readonly word: string;
  readonly instead: string[];
}

/** A query as it is answered. */
export interface SpelledQuery {
  /** The query with the first spelling of each correction. */
  readonly text: string;
  /** Terms that count as well as one of the text: those of the other spellings. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
  readonly corrections: readonly Correction[];
}

/** Where words are looked for. */
interface Among {
  readonly scope: IndexScope;
  readonly signal: AbortSignal;
}

interface Spelt extends Written {
  readonly term: string | null;
}

/** Knows which words are indexed, and which ones mistyped words may stand for. */
export class Spelling {
  readonly #words: Words;
  /** When a term was last seen to be indexed. */
  readonly #known = new Map<string, number>();

  constructor(words: Words) {
    this.#words = words;
  }

  /** The words of a query that have to be looked up, as no text of its hits shows them; none for most queries. */
  doubtful(query: string, shown: readonly string[]): SpelledWord[] {
    const unknown = spelledWords(query).filter(({ term }) => !this.#knows(term));
    return unknown.filter((word) => {
      const isShown = shown.some((text) => shows(text, word));
      if (isShown) this.#remember([word.term]);
      return !isShown;
    });
  }

  /** Replaces those of the doubtful words that nothing indexed has by words one edit away that the scope has. */
  async correct(
    query: string,
    doubtful: readonly SpelledWord[],
    among: Among,
  ): Promise<SpelledQuery> {
    const unknown = await this.#unknown(doubtful);
    if (unknown.length === 0) return asItIs(query);
    const formless = await this.#withoutForms(query, unknown);
    const names = await this.#words.frequencies(
      formless.map(({ whole }) => whole),
      { maxCount: 1 },
    );
    const spelt = new Map<string, readonly Spelt[]>();
    const misspelt = formless.filter(({ whole }) => !names.has(whole));
    for (const { whole, term } of misspelt.slice(0, respeltAtMost)) {
      spelt.set(term, await this.#respell(whole, among));
    }
    const { forms, ...rest } = rewritten(query, doubtful, spelt);
    const known = formless.filter(({ whole }) => names.has(whole));
    return { ...rest, forms: new Map([...forms, ...known.map(asName)]) };
  }

  #knows(term: string): boolean {
    return performance.now() - (this.#known.get(term) ?? -Infinity) < knownForMs;
  }

  #remember(terms: readonly string[]): void {
    if (this.#known.size + terms.length > knownAtMost) this.#known.clear();
    for (const term of terms) this.#known.set(term, performance.now());
  }

  async #unknown(words: readonly SpelledWord[]): Promise<SpelledWord[]> {
    const byTerm = new Map(words.map((word) => [word.term, word]));
    const there = await this.#words.frequencies([...byTerm.keys()], { maxCount: 1 });
    this.#remember([...there.keys()]);
    return [...byTerm.values()].filter(({ term }) => !there.has(term));
  }

  /** Those of the words that nothing has in another form either. */
  async #withoutForms(query: string, words: readonly SpelledWord[]): Promise<SpelledWord[]> {
    const forms = queryForms(query);
    const formsOf = ({ term }: SpelledWord): readonly string[] => forms.get(term) ?? [];
    const there = await this.#words.frequencies(words.flatMap(formsOf), { maxCount: 1 });
    return words.filter((word) => !formsOf(word).some((form) => there.has(form)));
  }

  async #respell(word: string, among: Among): Promise<Spelt[]> {
    const all = respellings(word);
    const terms = all.flatMap(({ term }) => term ?? []);
    const rows = await this.#words.frequencies(terms, { ...among.scope, maxCount: countedAtMost });
    // What is too common to be indexed is the most frequent.
    const rowsOf = ({ term }: Respelling): number =>
      term === null ? Infinity : (rows.get(term) ?? 0);
    const common = all
      .filter((each) => rowsOf(each) > 0)
      .sort((a, b) => rowsOf(b) - rowsOf(a))
      .slice(0, seenTerms);
    const spelt = await Promise.all(common.map((each) => this.#seen(word, each, among)));
    const seen = spelt.filter(({ isSeen }) => isSeen);
    return (seen.length === 0 ? spelt : seen).slice(0, spellingsAtMost);
  }

  /** How texts write what is indexed so. */
  async #seen(word: string, { words, term }: Respelling, { scope, signal }: Among): Promise<Spelt> {
    if (term === null) return { word: words[0], term, isSeen: true };
    const texts = await this.#words.textsWith(term, { ...scope, candidates: seenTexts, signal });
    const forms = texts.flatMap((text) => wordsIndexedAs(term, text));
    return { ...asWritten(word, words, forms), term };
  }
}

/** A query without typing errors. */
export function asItIs(text: string): SpelledQuery {
  return { text, forms: new Map(), corrections: [] };
}

/** A word that is only known as a name: without being stemmed. */
function asName({ term, whole }: SpelledWord): [string, string[]] {
  return [term, [whole]];
}

/** The word with what differs in the other spelling: its other letters keep their accents, and capitals part names. */
function respeltIn({ word, whole }: SpelledWord, instead: string): string {
  const isUpper = word === word.toUpperCase();
  if (whole.length !== word.length) return isUpper ? instead.toUpperCase() : instead;
  const shorter = Math.min(whole.length, instead.length);
  let start = 0;
  while (start < shorter && whole[start] === instead[start]) start++;
  let end = 0;
  while (end < shorter - start && whole.at(-1 - end) === instead.at(-1 - end)) end++;
  const middle = instead.slice(start, instead.length - end);
  const changed = isUpper ? middle.toUpperCase() : middle;
  return word.slice(0, start) + changed + word.slice(word.length - end);
}

function rewritten(
  query: string,
  words: readonly SpelledWord[],
  spelt: ReadonlyMap<string, readonly Spelt[]>,
): SpelledQuery {
  const corrections = new Map<string, Correction>();
  const forms = new Map<string, string[]>();
  let text = '';
  let end = 0;
  for (const spelled of words) {
    const { word, term, start } = spelled;
    const [first, ...others] = spelt.get(term) ?? [];
    if (first === undefined) continue;
    text += query.slice(end, start) + respeltIn(spelled, first.word);
    end = start + word.length;
    forms.set(
      first.term ?? '',
      others.flatMap((other) => other.term ?? []),
    );
    corrections.set(word, { word, instead: [first, ...others].map((each) => each.word) });
  }
  return { text: text + query.slice(end), forms, corrections: [...corrections.values()] };
}
