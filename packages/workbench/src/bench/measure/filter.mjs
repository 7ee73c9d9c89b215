const runCount = 30;
const warmUp = 5;
/** The maximum length of a pattern, with many alternatives to try for each text. */
const pattern = `%${'a_%'.repeat(41)}~~%`;

/**
 * The most expensive filter that is allowed: four conditions that read every text and twelve that look up words, and
 * every chunk passes.
 */
const maxFilterChars = [
  ...['path', 'title', 'media_type', 'author'].map((field) => `not ${field} like "${pattern}"`),
  ...['path', 'chunk_kind', 'media_type', 'modified_at', 'title', 'url', 'author'].map(
    (field) => `${field} != ${field === 'modified_at' ? '7' : '"none"'}`,
  ),
  `(${['path', 'title', 'media_type', 'url', 'author'].map((field) => `${field} != "no"`).join(' or ')})`,
].join(' and ');

/** Returns the milliseconds of each hybrid search with the longest allowed filter. */
export async function measureFilter(client, queries) {
  const times = [];
  for (let run = 0; run < warmUp + runCount; run++) {
    const { text: q } = queries[run % queries.length];
    const asked = new URLSearchParams({ q, mode: 'hybrid', top_k: '10', filter: maxFilterChars });
    const started = performance.now();
    const { results } = await client.get(`/v1/search?${asked}`);
    times.push(performance.now() - started);
    if (results.length === 0) throw new Error('the filter leaves nothing');
  }
  return times.slice(warmUp);
}
