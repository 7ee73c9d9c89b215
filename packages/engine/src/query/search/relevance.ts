import type { IndexHit } from '@trove/core/index';
import { analyze, documentTerms, languageOf } from '@trove/text/analyzer';
import type { RankedCandidate } from './fusion.js';

/** The query's terms and the weight of vectors in the relevance score. */
export interface RelevanceQuery {
  readonly terms: readonly string[];
  /** Terms that count as forms of a query term. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
  /** 0 to 1; 0: words only. */
  readonly denseWeight: number;
}

/**
 * Returns the relevance score of a hit, 0 to 1, independent of other hits. It is the share of the query's words that
 * occur in the hit or its name. If vectors carry meaning, their cosine similarity is weighted in.
 */
export function relevanceOf(
  hit: IndexHit,
  { dense, sparse }: RankedCandidate,
  { terms, forms, denseWeight }: RelevanceQuery,
): number {
  const similarity = Math.min(1, Math.max(0, dense ?? 0));
  const queryTerms = new Set(terms);
  if (denseWeight === 1 || (denseWeight > 0 && queryTerms.size === 0)) return similarity;
  const content = [hit.content, hit.title ?? '', nameOf(hit.source)].join('\n');
  const hasForms = terms.some((term) => (forms.get(term) ?? []).length > 0);
  const hitTerms = hasForms ? termsAndForms(hit, content) : termsFound(queryTerms, content);
  const occurs = (term: string): boolean => hitTerms.has(term);
  const shared = [...queryTerms].filter(
    (term) => occurs(term) || forms.get(term)?.some(occurs),
  ).length;
  // The index also searches headings, which a hit does not contain. A hit found by words has at least one of them.
  const covered =
    queryTerms.size === 0 ? 0 : Math.max(shared, sparse === null ? 0 : 1) / queryTerms.size;
  return denseWeight * similarity + (1 - denseWeight) * covered;
}

function termsAndForms(hit: IndexHit, content: string): Set<string> {
  const { terms } = documentTerms({ content, language: languageOf(hit.content) });
  return new Set(terms.split(' '));
}

/** Returns the terms that occur in a text. Stops when none is missing. */
function termsFound(queryTerms: ReadonlySet<string>, text: string): Set<string> {
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    for (const term of analyze(line)) if (queryTerms.has(term)) found.add(term);
    if (found.size === queryTerms.size) break;
  }
  return found;
}

function nameOf(source: string): string {
  try {
    return decodeURI(source);
  } catch {
    return source;
  }
}
