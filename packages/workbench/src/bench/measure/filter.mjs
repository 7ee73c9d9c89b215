const runCount = 30;
const warmUp = 5;
/** As many characters as a pattern may have, and much to try for each text. */
const pattern = `%${'a_%'.repeat(41)}~~%`;

/**
 * Four conditions that read every text and twelve that look words up, none of which leaves a chunk out: as much as a
 * filter may ask, of every chunk.
 */
const maxFilterChars = [
  ...['path', 'title', 'media_type', 'author'].map((field) => `not ${field} like "${pattern}"`),
  ...['path', 'chunk_kind', 'media_type', 'modified_at', 'title', 'url', 'author'].map(
    (field) => `${field} != ${field === 'modified_at' ? '7' : '"none"'}`,
  ),
  `(${['path', 'title', 'media_type', 'url', 'author'].map((field) => `${field} != "no"`).join(' or ')})`,
].join(' and ');

/** Milliseconds of each hybrid search with the longest filter that is allowed. */
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
