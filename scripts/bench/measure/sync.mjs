import { appendFileSync } from 'node:fs';

import { askOnce } from '../child.mjs';
import { median } from '../statistics.mjs';
import { add } from './indexing.mjs';

const RUNS = 15;
const WARM_UP = 5;
const DEADLINE_MS = 30_000;

/** Milliseconds to sync a folder in which nothing has changed, and to walk and stat it. */
export async function measureResync(client, folder) {
  const times = [];
  for (let run = 0; run < WARM_UP + RUNS; run++) {
    const started = performance.now();
    await client.post('/v1/add', { target: folder, process: true });
    times.push(performance.now() - started);
  }
  const floor = await askOnce('floors/walk.mjs', { folder, runs: WARM_UP + RUNS });
  return { ms: median(times.slice(WARM_UP)), floorMs: median(floor.times.slice(WARM_UP)) };
}

/** Milliseconds from the writing of a new word into each of some files until a search finds it. */
export async function measureChange(client, folder, files) {
  const times = [];
  for (const [number, file] of files.entries()) {
    const word = `zq${process.pid}x${number}kv`;
    appendFileSync(file, `\n${word}\n`);
    const started = performance.now();
    const id = await add(client, folder);
    await untilFound(client, word, started);
    times.push(performance.now() - started);
    await untilOver(client, id);
  }
  return { ms: median(times) };
}

async function untilFound(client, word, started) {
  const path = `/v1/search?${new URLSearchParams({ q: word, mode: 'keyword', top_k: '1' })}`;
  for (;;) {
    const { results } = await client.get(path);
    if (results[0]?.content.includes(word)) return;
    if (performance.now() - started > DEADLINE_MS) throw new Error(`${word} was never found`);
  }
}

async function untilOver(client, id) {
  let job;
  do job = await client.get(`/v1/jobs/${id}`);
  while (job.status === 'queued' || job.status === 'running');
}
