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
type Scores = ReadonlyMap<string, number>;

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
  readonly byWord: readonly Scores[] | null;
  readonly byNames: Scores | null;
  readonly chunks: readonly number[];
}

/** Queries the parts of keyword scores for the chunks of some objects. */
export async function keywordPartsOf(
  search: ExplainedSearch,
  sources: readonly string[],
  usesWords: boolean,
): Promise<KeywordParts> {
  const chunks = await countChunks(search);
  if (!usesWords) return { byWord: null, byNames: null, chunks };
  const byWord: Scores[] = [];
  for (const { terms } of search.words) byWord.push(await scoreTerms(search, terms, sources));
  return { byWord, byNames: await scoreTerms(search, search.names, sources), chunks };
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
): Promise<Scores> {
  const scores = new Map<string, number>();
  if (terms.length === 0) return scores;
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
    for (const { key, score } of sparse) if (!scores.has(key)) scores.set(key, score);
    return sparse.length;
  };
  // An index may score rows that it has not indexed yet by the rows in the scope alone, so the whole scope comes first.
  if ((await search()) < candidates) return scores;
  for (let at = 0; at < sources.length; at += sourcesPerSearch)
    await search(sources.slice(at, at + sourcesPerSearch));
  return scores;
}

/** A hit whose words are explained. */
interface HitOfWords {
  readonly hit: ResultEnvelope;
  /** Its path below the root of its source. */
  readonly path: string;
  readonly key: string;
  readonly keywordScore: number | null;
}

/** Explains the words of a query in a hit. Without `parts`, scores and counts are null. */
export function explainedWords(
  searched: readonly SearchedWord[],
  { hit, path, key, keywordScore }: HitOfWords,
  parts: KeywordParts | null,
): Pick<HitExplanation, 'words'> & {
  readonly names: number | null;
  readonly pairs: number | null;
} {
  const placesOf = placeFinder(hit, path);
  const scoreIn = (scores: Scores | null | undefined): number | null =>
    scores === null || scores === undefined ? null : (scores.get(key) ?? 0);
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
  const isWhole = names !== null && keywordScore !== null && searched.length < maxWords;
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
