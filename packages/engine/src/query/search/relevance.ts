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
 * Returns the relevance score of a hit, 0 to 1, independent of other hits: the share of the query's words in the hit
 * or its name and, if vectors carry meaning, the cosine similarity.
 */
export function relevanceOf(
  hit: IndexHit,
  { dense, sparse }: RankedCandidate,
  { terms, forms, denseWeight }: RelevanceQuery,
): number {
  const nearness = Math.min(1, Math.max(0, dense ?? 0));
  const asked = new Set(terms);
  if (denseWeight === 1 || (denseWeight > 0 && asked.size === 0)) return nearness;
  const content = [hit.content, hit.title ?? '', nameOf(hit.source)].join('\n');
  const hasForms = terms.some((term) => (forms.get(term) ?? []).length > 0);
  const there = hasForms ? termsAndForms(hit, content) : termsFound(asked, content);
  const isThere = (term: string): boolean => there.has(term);
  const shared = [...asked].filter(
    (term) => isThere(term) || forms.get(term)?.some(isThere),
  ).length;
  // The index also searches headings, which a hit does not contain. A hit found by words has at least one of them.
  const covered = asked.size === 0 ? 0 : Math.max(shared, sparse === null ? 0 : 1) / asked.size;
  return denseWeight * nearness + (1 - denseWeight) * covered;
}

function termsAndForms(hit: IndexHit, content: string): Set<string> {
  const { terms } = documentTerms({ content, language: languageOf(hit.content) });
  return new Set(terms.split(' '));
}

/** Returns the terms that occur in a text. Stops when none is missing. */
function termsFound(asked: ReadonlySet<string>, text: string): Set<string> {
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    for (const term of analyze(line)) if (asked.has(term)) found.add(term);
    if (found.size === asked.size) break;
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
