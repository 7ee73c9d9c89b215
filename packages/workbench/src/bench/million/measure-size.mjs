import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { randomFrom } from '@trove/test-support/random.js';
import { add, jobEnded, remove, serverOf } from '../measure/indexing.mjs';
import { measureGrep } from '../measure/grep.mjs';
import { residentBytes, watchMemory } from '../measure/memory.mjs';
import { spaceOf } from '../measure/space.mjs';
import { measureChange } from '../measure/sync.mjs';
import { timed } from '../measure/time.mjs';
import { literalFrom, queriesFrom, textFiles } from '../samples.mjs';
import { median } from '../statistics.mjs';
import { writeTree } from '../tree/tree.mjs';
import { measureFloors } from './floors.mjs';
import { indexByPhases } from './index-phases.mjs';
import { measureCold, measureFilters, measureWarm, measureWhileIndexing } from './searches.mjs';

const randomSeed = 1;
const queryCount = 400;
const filteredQueries = 30;
const coldQueries = 9;
const syncRuns = 5;
const changes = 3;
/** Every tenth file is changed, then removed. */
const tenth = 10;
const minOtherFiles = 500;
const otherShare = 40;
/** The index finishes its work after a job within this time. */
const settledAfterMs = 60_000;

/** Measures one tree below `place`, beside its floors. Leaves no process. */
export async function measureSize(place, tree, say) {
  const home = join(place, 'home');
  const files = textFiles(tree);
  const queries = await queriesFrom(randomFrom(randomSeed), files, queryCount);
  const indexed = await measureIndex(home, tree, say);
  say('searching after restarts');
  const cold = await measureCold(home, queries.slice(0, coldQueries));
  const server = await serverOf(home);
  const searched = await measureSearches(server, tree, queries, say);
  const literal = literalFrom(files[Math.floor(files.length / 2)]);
  say('grep');
  const grep = await measureGrep(server.client, tree, literal);
  const other = join(place, 'other');
  writeTree(other, {
    files: Math.max(minOtherFiles, Math.floor(files.length / otherShare)),
    seed: randomSeed + 1,
  });
  const synced = await measureSyncs(server, tree, files, say);
  say('searching while indexing');
  const busy = await measureWhileIndexing(server, other, queries);
  await remove(server.client, other);
  const changed = await measureTenths(server, tree, files, say);
  await server.stop();
  const floors = await measureFloors(place, { home, tree, queries }, say);
  const { chunks, ...index } = indexed;
  return {
    chunks,
    index,
    readyMs: server.readyMs,
    search: { cold, busy, ...searched },
    grep,
    sync: { ...synced, ...changed },
    floors,
  };
}

async function measureIndex(home, tree, say) {
  const server = await serverOf(home);
  say('indexing');
  const indexed = await indexByPhases(server, tree);
  const spaceAtEnd = spaceOf(server.database);
  say('waiting for a minute');
  await sleep(settledAfterMs);
  const space = spaceOf(server.database);
  await server.stop();
  return { ...indexed, spaceAtEnd, space };
}

async function measureSearches(server, tree, queries, say) {
  say('searching');
  const memory = watchMemory(server.pid);
  const warm = await measureWarm(server, queries);
  const filters = await measureFilters(server, tree, queries.slice(0, filteredQueries));
  const { samples } = memory.stop();
  const searching = Math.max(...samples.map(([, bytes]) => bytes));
  say('waiting for a minute');
  await sleep(settledAfterMs);
  return { warm, filters, memory: { searching, resting: residentBytes(server.pid) } };
}

async function measureSyncs({ client }, tree, files, say) {
  say('syncing');
  const times = [];
  for (let run = 0; run < syncRuns; run++) times.push(await timed(() => sync(client, tree)));
  const { ms: oneMs } = await measureChange(client, tree, files.slice(0, changes));
  return { nothingMs: median(times), oneMs };
}

/** Changes a tenth of the files, then removes them. */
async function measureTenths({ client, database }, tree, files, say) {
  const some = files.filter((_, at) => at % tenth === 0);
  say('changing a tenth');
  for (const file of some) appendFileSync(file, '\nA late addition.\n');
  const changedMs = await timed(() => sync(client, tree));
  await sleep(settledAfterMs);
  const changedSpace = spaceOf(database);
  say('removing a tenth');
  for (const file of some) rmSync(file);
  const removedMs = await timed(() => sync(client, tree));
  await sleep(settledAfterMs);
  return { changedMs, changedSpace, removedMs, removedSpace: spaceOf(database) };
}

async function sync(client, tree) {
  await jobEnded(client, await add(client, tree));
}
