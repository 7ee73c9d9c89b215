import { startChild } from '../child.mjs';
import { add, isOver } from './indexing.mjs';

export const modes = ['keyword', 'semantic', 'hybrid'];
const roundCount = 3;
/** The first part of the queries warms up, and each round uses another part. */
export const partCount = roundCount + 1;

/**
 * Returns the milliseconds of each search over HTTP and of the bare index queries, in turns: `{ keyword: { own, floor }
 * … }`.
 */
export async function measureIdle(client, database, queries) {
  const parts = partsOf(queries);
  const bare = startChild('floors/search-rows.mjs');
  const times = Object.fromEntries(modes.map((mode) => [mode, { own: [], floor: [] }]));
  try {
    for (const [at, part] of parts.entries()) {
      for (const mode of modes) {
        const own = [];
        for (const query of part) own.push(await timed(client, mode, query));
        const floor = (await bare.ask({ database, mode, queries: part })).times;
        if (at === 0) continue;
        times[mode].own.push(...own);
        times[mode].floor.push(...floor);
      }
    }
  } finally {
    await bare.stop();
  }
  return times;
}

/** Splits the queries into equal parts in order. */
export function partsOf(queries, parts = partCount) {
  const size = Math.floor(queries.length / parts);
  return Array.from({ length: parts }, (_, at) => queries.slice(at * size, (at + 1) * size));
}

/** Returns the milliseconds of each search by mode while another folder is indexed. */
export async function measureBusy(client, otherFolder, queries) {
  const times = Object.fromEntries(modes.map((mode) => [mode, []]));
  const job = await add(client, otherFolder);
  for (let turn = 0; ; turn++) {
    for (const mode of modes) {
      times[mode].push(await timed(client, mode, queries[turn % queries.length]));
    }
    if (isOver(await client.get(`/v1/jobs/${job}`))) return times;
  }
}

/** Returns the milliseconds of one search over HTTP for ten hits. */
export async function timed(client, mode, { text }) {
  const path = `/v1/search?${new URLSearchParams({ q: text, mode, top_k: '10' })}`;
  const started = performance.now();
  const { results } = await client.get(path);
  const ms = performance.now() - started;
  if (results.length === 0) throw new Error(`no result for "${text}" (${mode})`);
  return ms;
}
