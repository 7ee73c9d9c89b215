import type { ResultEnvelope, TroveClient } from '@trove/client';
import { lastSegment } from '../parts/names.js';
import { hasType } from './filter-options.js';
import { requestOf, type SearchChoice } from './search-request.js';

/** The filters whose options have counts. */
export type FacetName = 'path' | 'type' | 'kind' | 'since';

/** The passages from which the options of a filter are counted. */
interface CountedHits {
  readonly hits: readonly ResultEnvelope[];
  /** Whether these are all passages. */
  readonly isComplete: boolean;
}

/** The passages to count for each filter: those of the search without this filter. */
export type Facets = Readonly<Record<FacetName, CountedHits>>;

/** The number of best passages that are counted. */
export const countedHits = 100;

const names = ['path', 'type', 'kind', 'since'] as const;
/** The minimum. The texts are not used. */
const snippetChars = 80;
const dayMs = 86_400_000;

/** Searches once for all filters that are not set, and once for each other filter. */
export async function loadFacets(
  { retrieval }: TroveClient,
  choice: SearchChoice,
  signal: AbortSignal,
): Promise<Facets> {
  const find = async (part: Partial<SearchChoice>): Promise<CountedHits> => {
    const request = requestOf({ ...choice, ...part });
    const counted = { ...request, top_k: countedHits, snippet: snippetChars };
    const { results: hits } = await retrieval.search(counted, { signal });
    return { hits, isComplete: hits.length < countedHits };
  };
  let shared: Promise<CountedHits> | null = null;
  const findWithout = (name: FacetName): Promise<CountedHits> =>
    choice[name] === '' ? (shared ??= find({})) : find({ [name]: '' });
  const [path, type, kind, since] = await Promise.all([
    findWithout('path'),
    findWithout('type'),
    findWithout('kind'),
    findWithout('since'),
  ]);
  return { path, type, kind, since };
}

/** Returns how many passages an option would leave. Null if they are unknown, because there are more passages. */
export function countOption(facets: Facets, name: FacetName, value: string): number | null {
  const { hits, isComplete } = facets[name];
  const count = hits.filter((hit) => meets(hit, name, value)).length;
  return count === 0 && !isComplete ? null : count;
}

/** Whether the counts of some filter concern only the best passages. */
export function areLimited(facets: Facets): boolean {
  return names.some((name) => !facets[name].isComplete);
}

function meets({ source, metadata }: ResultEnvelope, name: FacetName, value: string): boolean {
  if (name === 'path') return source === value || source.startsWith(`${value}/`);
  if (name === 'type') return hasType(lastSegment(source), value);
  if (name === 'kind') return value.split(',').includes(metadata.chunk_kind);
  const { modified_at: time } = metadata;
  return time !== null && Date.now() - Date.parse(time) <= Number.parseInt(value, 10) * dayMs;
}
