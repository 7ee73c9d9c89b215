import type { SearchResponse } from '../../api/schemas.js';

type Hit = SearchResponse['results'][number];

/** How to limit a response. */
export interface ResponseLimit {
  readonly maxBytes: number;
  /** The offset of the page. */
  readonly offset: number;
  /** The largest offset that a search accepts. */
  readonly maxOffset: number;
  /** Returns the hit in the form of the response, with at most `maxChars` characters of content. */
  readonly present: (hit: Hit, maxChars: number) => Hit;
}

/**
 * Leaves out hits from the end until the JSON of the response has at most `maxBytes`. A first hit that is too large
 * alone is shortened. If its metadata is too large, it is left out, and `next_offset` skips it.
 */
export function limitResponse(response: SearchResponse, limit: ResponseLimit): SearchResponse {
  const { maxBytes, offset, maxOffset, present } = limit;
  const presented = response.results.map((hit) => present(hit, Infinity));
  const whole = { ...response, results: presented };
  if (maxBytes === Infinity || bytesOf(whole) <= maxBytes) return whole;
  const { results: _hits, ...others } = response;
  const truncatedBy = (rest: object, results: Hit[], count: number): SearchResponse => ({
    results,
    ...rest,
    truncated: true,
    ...(offset + count > maxOffset ? {} : { next_offset: offset + count }),
  });
  const emptyBytes = bytesOf(truncatedBy(others, [], presented.length));
  // The correction of a long query may be too large alone.
  const rest = emptyBytes > maxBytes ? {} : others;
  let bytes = bytesOf(truncatedBy(rest, [], presented.length));
  let count = 0;
  for (const hit of presented) {
    bytes += bytesOf(hit) + (count === 0 ? 0 : 1);
    if (bytes > maxBytes) break;
    count++;
  }
  const [first] = response.results;
  if (count > 0 || first === undefined) return truncatedBy(rest, presented.slice(0, count), count);
  const fits = (hit: Hit): boolean => bytesOf(truncatedBy(rest, [hit], 1)) <= maxBytes;
  const fitting = largestFit(first, present, fits);
  return truncatedBy(rest, fitting === null ? [] : [fitting], 1);
}

/** Returns the hit with the most content that fits. Null if it does not fit without content. */
function largestFit(
  hit: Hit,
  present: ResponseLimit['present'],
  fits: (hit: Hit) => boolean,
): Hit | null {
  let low = 0;
  let high = hit.content.length;
  let found: Hit | null = null;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const shortened = present(middle === 0 ? { ...hit, content: '' } : hit, middle);
    if (fits(shortened)) [found, low] = [shortened, middle + 1];
    else high = middle - 1;
  }
  return found;
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
