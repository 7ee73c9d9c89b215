import { index, withServer } from '../indexed-server.mjs';

export const modes = ['hybrid', 'semantic', 'keyword'];
/** More than the first hits, because a reranking model can only choose from them. */
const depth = 50;
const fields = 'source,locator,also';

/**
 * Indexes the folder of a collection on a separate server and asks its questions in each mode. Returns a result for each
 * question and mode: `rank` of the first hit that overlaps a wanted passage (null if none of the first fifty does), and
 * `first`, the place of the first hit.
 */
export async function askQuestions(folder, questions) {
  return withServer(async ({ call }) => {
    const job = await index(call, folder, ['succeeded', 'partial']);
    const results = [];
    for (const mode of modes) {
      for (const question of questions) {
        const query = new URLSearchParams({ q: question.text, mode, top_k: String(depth), fields });
        const { results: hits } = await call('GET', `/v1/search?${query}`);
        const places = hits.map((hit) => placesOf(hit, folder));
        results.push({ question, mode, rank: rankOf(places, question), first: places[0]?.[0] });
      }
    }
    return { results, failures: job.failures.length };
  });
}

/** Returns the rank of the first hit that overlaps a wanted passage, from 1. Null if there is none. */
export function rankOf(places, { wanted }) {
  const at = places.findIndex((alternatives) =>
    alternatives.some((place) => wanted.some((passage) => overlaps(place, passage))),
  );
  return at < 0 ? null : at + 1;
}

function overlaps({ path, lines }, passage) {
  const [first, last] = passage.lines;
  return lines !== null && path === passage.path && lines[0] <= last && lines[1] >= first;
}

/** Returns the place of a hit, and those of objects with the same text, which are part of the hit. */
function placesOf({ source, locator, metadata }, folder) {
  const lines = locator?.lines ?? null;
  return [source, ...metadata.also].map((uri) => {
    const decoded = decodeURIComponent(uri);
    return { path: decoded.split(`${folder}/`)[1] ?? decoded, lines };
  });
}
