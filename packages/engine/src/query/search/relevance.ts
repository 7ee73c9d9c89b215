import type { IndexHit } from '@trove/core/index';
import { analyze, documentTerms, languageOf } from '@trove/text/analyzer';
import type { RankedCandidate } from './fusion.js';

/** The parts of vector and words in a hit's fit. */
export interface RelevanceQuery {
  readonly terms: readonly string[];
  /** Other terms that count as one of them. */
  readonly forms: ReadonlyMap<string, readonly string[]>;
  /** In [0,1]; 0: words alone. */
  readonly denseWeight: number;
}

/**
 * How well a hit fits, in [0,1], regardless of the other hits: the share of the query's words that occur in it or its
 * name and, as far as vectors carry meaning, the cosine.
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
  // Headings above the text count too but are not part of a hit; a hit found by words has at least one of them.
  const covered = asked.size === 0 ? 0 : Math.max(shared, sparse === null ? 0 : 1) / asked.size;
  return denseWeight * nearness + (1 - denseWeight) * covered;
}

function termsAndForms(hit: IndexHit, content: string): Set<string> {
  const { terms } = documentTerms({ content, language: languageOf(hit.content) });
  return new Set(terms.split(' '));
}

/** Those of the terms that a text has: it is read until none is missing. */
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
