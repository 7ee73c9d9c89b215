import type { IndexScope } from '@trove/core/index';
import { documentTerms, languageOf } from '@trove/text/analyzer';
import type { HitExplanation, ResultEnvelope } from '../../api/schemas.js';
import type { QueriedCollection } from '../../generations/selection/generations.js';
import { queryCost } from './query-cost.js';
import type { SearchedWord } from './searched-words.js';

const { words: maxWords, countedRows, sourcesPerSearch, candidates } = queryCost.explanation;
/** Smaller differences of scores come from rounding. */
const minDifference = 1e-3;

type WordPlace = HitExplanation['words'][number]['places'][number];

/** The search of one collection, as far as explanations need it. */
export interface ExplainedSearch {
  readonly collection: Pick<QueriedCollection, 'search' | 'frequencies'>;
  readonly words: readonly SearchedWord[];
  /** Terms of the names that the query asks for. */
  readonly names: readonly string[];
  readonly scope: IndexScope;
  readonly loading: readonly string[];
  readonly signal: AbortSignal;
}

/** Keyword scores by the key of a row, and the number of chunks with each word. */
export interface KeywordParts {
  /** In the order of the words. Null if the search did not use words. */
  readonly byWord: readonly KeywordScores[] | null;
  readonly byNames: KeywordScores | null;
  readonly chunks: readonly number[];
}

/** The keyword scores of some terms by the key of a row. */
interface KeywordScores {
  readonly known: ReadonlyMap<string, number>;
  /** Whether a hit without a score has none of the terms. */
  readonly isComplete: boolean;
}

/** The index searches that the explanations of one request may still make. */
export class SearchBudget {
  #left: number = queryCost.explanation.searches;

  /** Takes one search. Returns false if none is left. */
  take(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }
}

/** Queries the parts of keyword scores for the chunks of some objects: of names first, then of rare words. */
export async function keywordPartsOf(
  search: ExplainedSearch,
  sources: readonly string[],
  usesWords: boolean,
  budget: SearchBudget,
): Promise<KeywordParts> {
  const chunks = await countChunks(search);
  if (!usesWords) return { byWord: null, byNames: null, chunks };
  const scores = (terms: readonly string[]): Promise<KeywordScores> =>
    scoreTerms(search, terms, sources, budget);
  const byNames = await scores(search.names);
  const words = search.words.map(({ terms }, at) => ({ terms, at, count: chunks[at] ?? 0 }));
  const scored: { readonly at: number; readonly scores: KeywordScores }[] = [];
  for (const { at, terms } of words.toSorted((a, b) => a.count - b.count))
    scored.push({ at, scores: await scores(terms) });
  const byWord = scored.toSorted((a, b) => a.at - b.at).map((each) => each.scores);
  return { byWord, byNames, chunks };
}

async function countChunks({ collection, words, loading }: ExplainedSearch): Promise<number[]> {
  const terms = [...new Set(words.flatMap(({ wholeTerms }) => wholeTerms))];
  const counts = await collection.frequencies(terms, { maxCount: countedRows, loading });
  return words.map(({ wholeTerms }) =>
    Math.max(0, ...wholeTerms.map((term) => counts.get(term) ?? 0)),
  );
}

async function scoreTerms(
  { collection, scope, loading, signal }: ExplainedSearch,
  terms: readonly string[],
  sources: readonly string[],
  budget: SearchBudget,
): Promise<KeywordScores> {
  const known = new Map<string, number>();
  if (terms.length === 0) return { known, isComplete: true };
  const search = async (within?: readonly string[]): Promise<number> => {
    signal.throwIfAborted();
    const { sparse } = await collection.search({
      ...scope,
      ...(within === undefined ? {} : { within }),
      sparse: { terms, pairs: [] },
      pairWeight: 0,
      candidates,
      loading,
      signal,
    });
    for (const { key, score } of sparse) if (!known.has(key)) known.set(key, score);
    return sparse.length;
  };
  if (!budget.take()) return { known, isComplete: false };
  // An index may score rows that it has not indexed yet by the rows in the scope alone, so the whole scope comes first.
  if ((await search()) < candidates) return { known, isComplete: true };
  for (let at = 0; at < sources.length; at += sourcesPerSearch) {
    if (!budget.take()) return { known, isComplete: false };
    await search(sources.slice(at, at + sourcesPerSearch));
  }
  return { known, isComplete: true };
}

/** A hit whose words are explained. */
interface HitOfWords {
  readonly hit: ResultEnvelope;
  /** Its path below the root of its source. */
  readonly path: string;
  readonly key: string;
  readonly keywordScore: number | null;
}

/** Explains the words of a query in a hit. Without `parts`, scores and counts are null. So are scores that were not queried. */
export function explainedWords(
  searched: readonly SearchedWord[],
  { hit, path, key, keywordScore }: HitOfWords,
  parts: KeywordParts | null,
): Pick<HitExplanation, 'words'> & {
  readonly names: number | null;
  readonly pairs: number | null;
} {
  const placesOf = placeFinder(hit, path);
  const scoreIn = (scores: KeywordScores | null | undefined): number | null =>
    scores?.known.get(key) ?? (scores?.isComplete === true ? 0 : null);
  const words = searched.map((word, at) => {
    const score = scoreIn(parts?.byWord?.[at]);
    const places = placesOf(word);
    return {
      word: word.word,
      corrected_from: word.correctedFrom,
      chunks: parts?.chunks[at] ?? null,
      places: places.length === 0 && (score ?? 0) > 0 ? ['context' as const] : places,
      score,
    };
  });
  const names = scoreIn(parts?.byNames);
  const isWhole =
    names !== null &&
    keywordScore !== null &&
    searched.length < maxWords &&
    words.every(({ score }) => score !== null);
  const known = words.reduce((sum, { score }) => sum + (score ?? 0), names ?? 0);
  return { words, names, pairs: isWhole ? differenceOf(keywordScore, known) : null };
}

function differenceOf(total: number, known: number): number {
  const difference = total - known;
  return difference < minDifference ? 0 : difference;
}

/** Returns a function that finds the places of a word in a hit. */
function placeFinder(
  { content, metadata: { title } }: ResultEnvelope,
  path: string,
): (word: SearchedWord) => WordPlace[] {
  const language = languageOf(content);
  const termsOf = (text: string): ReadonlySet<string> =>
    new Set(documentTerms({ content: text, language }).terms.split(' '));
  const places: readonly (readonly [WordPlace, ReadonlySet<string>])[] = [
    ['text', termsOf(content)],
    ['title', termsOf(title ?? '')],
    ['path', termsOf(path)],
  ];
  return ({ terms }) =>
    places.flatMap(([place, found]) => (terms.some((term) => found.has(term)) ? [place] : []));
}
