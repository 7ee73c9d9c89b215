import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

import { askOnce } from '../child.mjs';
import { median } from '../statistics.mjs';
import { add, jobEnded } from './indexing.mjs';

const runCount = 15;
const warmUp = 5;
const deadlineMs = 30_000;

/** Returns the milliseconds to sync an unchanged folder, and to walk and stat it. */
export async function measureResync(client, folder) {
  const times = [];
  for (let run = 0; run < warmUp + runCount; run++) {
    const started = performance.now();
    await client.post('/v1/add', { target: folder, process: true });
    times.push(performance.now() - started);
  }
  const floor = await askOnce('floors/walk.mjs', { folder, runs: warmUp + runCount });
  return { ms: median(times.slice(warmUp)), floorMs: median(floor.times.slice(warmUp)) };
}

/** Returns the milliseconds from writing a new word into some files until a search finds it. */
export async function measureChange(client, folder, files) {
  const times = [];
  for (const [number, file] of files.entries()) {
    const word = `zq${process.pid}x${number}kv`;
    appendFileSync(file, `\n${word}\n`);
    const started = performance.now();
    const id = await add(client, folder);
    await untilFound(client, word, started);
    times.push(performance.now() - started);
    await jobEnded(client, id);
  }
  return { ms: median(times) };
}

/** Returns the milliseconds to sync a folder with missing files, and again after their return. */
export async function measureReturn(client, folder, files) {
  const parked = `${folder}-parked`;
  mkdirSync(parked);
  files.forEach((file, at) => renameSync(file, join(parked, String(at))));
  const started = performance.now();
  await jobEnded(client, await add(client, folder));
  files.forEach((file, at) => renameSync(join(parked, String(at)), file));
  await jobEnded(client, await add(client, folder));
  return { ms: performance.now() - started };
}

async function untilFound(client, word, started) {
  const path = `/v1/search?${new URLSearchParams({ q: word, mode: 'keyword', top_k: '1' })}`;
  for (;;) {
    const { results } = await client.get(path);
    if (results[0]?.content.includes(word)) return;
    if (performance.now() - started > deadlineMs) throw new Error(`${word} was never found`);
  }
}
