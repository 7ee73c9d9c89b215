import { startChild } from '../child.mjs';
import { add, isOver } from './indexing.mjs';

export const MODES = ['keyword', 'semantic', 'hybrid'];
const ROUNDS = 3;
const WARM_UP = 100;

/** Milliseconds of each search over HTTP, and of the bare index queries, in turns: `{ keyword: { own, floor } … }`. */
export async function measureIdle(client, database, queries) {
  const bare = startChild('floors/search-rows.mjs');
  const times = Object.fromEntries(MODES.map((mode) => [mode, { own: [], floor: [] }]));
  try {
    for (const mode of MODES) {
      const warmUp = queries.slice(0, WARM_UP);
      for (const query of warmUp) await timed(client, mode, query);
      await bare.ask({ database, mode, queries: warmUp });
    }
    for (let round = 0; round < ROUNDS; round++) {
      for (const mode of MODES) {
        for (const query of queries) times[mode].own.push(await timed(client, mode, query));
        times[mode].floor.push(...(await bare.ask({ database, mode, queries })).times);
      }
    }
  } finally {
    await bare.stop();
  }
  return times;
}

/** Milliseconds of each search while another folder is being indexed, by mode. */
export async function measureBusy(client, otherFolder, queries) {
  const times = Object.fromEntries(MODES.map((mode) => [mode, []]));
  const job = await add(client, otherFolder);
  for (let turn = 0; ; turn++) {
    for (const mode of MODES) {
      times[mode].push(await timed(client, mode, queries[turn % queries.length]));
    }
    if (isOver(await client.get(`/v1/jobs/${job}`))) return times;
  }
}

/** Milliseconds of one search over HTTP for its ten best hits. */
export async function timed(client, mode, { text }) {
  const path = `/v1/search?${new URLSearchParams({ q: text, mode, top_k: '10' })}`;
  const started = performance.now();
  const { results } = await client.get(path);
  const ms = performance.now() - started;
  if (results.length === 0) throw new Error(`no result for "${text}" (${mode})`);
  return ms;
}
