import { join } from 'node:path';
import { readdirSync } from 'node:fs';

import { add, isOver, serverOf } from '../measure/indexing.mjs';
import { measureFilter } from '../measure/filter.mjs';
import { modes, partsOf } from '../measure/search.mjs';
import { processorMs } from './processor.mjs';

const restarts = 3;
const topK = '10';

/** Returns the milliseconds of the first search after a restart by mode. */
export async function measureCold(home, queries) {
  const times = Object.fromEntries(modes.map((mode) => [mode, []]));
  let at = 0;
  for (let run = 0; run < restarts; run++) {
    for (const mode of modes) {
      const server = await serverOf(home);
      times[mode].push(await searchMs(server.client, queries[at++ % queries.length], { mode }));
      await server.stop();
    }
  }
  return times;
}

/** Returns `{ keyword: { times, processor } … }`: the milliseconds of each search, and of processor time per search. */
export async function measureWarm({ client, pid }, queries) {
  const results = {};
  const [warmUp, ...parts] = partsOf(queries, modes.length + 1);
  for (const [at, mode] of modes.entries()) {
    for (const query of warmUp) await searchMs(client, query, { mode });
    const before = processorMs(pid);
    const times = [];
    for (const query of parts[at]) times.push(await searchMs(client, query, { mode }));
    const processor = before === null ? null : (processorMs(pid) - before) / times.length;
    results[mode] = { times, processor };
  }
  return results;
}

/** Returns the milliseconds of hybrid searches by filter. */
export async function measureFilters({ client }, tree, queries) {
  const [folder] = readdirSync(tree, { withFileTypes: true }).filter((each) => each.isDirectory());
  const filters = {
    'in one folder': { path: join(tree, folder.name) },
    'of one media type': { filter: 'media_type = "text/markdown"' },
    'by a glob': { glob: '**/*.ts' },
    'sorted by time': { sort: 'modified' },
  };
  const results = {};
  for (const [name, options] of Object.entries(filters)) {
    results[name] = [];
    for (const query of queries) results[name].push(await searchMs(client, query, options, false));
  }
  results['by the longest filter'] = await measureFilter(client, queries);
  return results;
}

/** Returns the milliseconds of searches by mode while a folder is indexed. */
export async function measureWhileIndexing({ client }, folder, queries) {
  const times = Object.fromEntries(modes.map((mode) => [mode, []]));
  const id = await add(client, folder);
  for (let turn = 0; ; turn++) {
    for (const mode of modes)
      times[mode].push(await searchMs(client, queries[turn % queries.length], { mode }));
    if (isOver(await client.get(`/v1/jobs/${id}`))) return times;
  }
}

async function searchMs(client, { text }, options, needsHits = true) {
  const path = `/v1/search?${new URLSearchParams({ q: text, top_k: topK, ...options })}`;
  const started = performance.now();
  const { results } = await client.get(path);
  const ms = performance.now() - started;
  if (needsHits && results.length === 0) throw new Error(`no result for "${text}"`);
  return ms;
}
