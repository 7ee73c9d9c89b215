// npm run bench [-- FOLDER]: measures Trove's speed beside a floor from the same run. Without a folder, generates a
// tree and writes the report to docs/benchmarks.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { randomFrom } from '@trove/test-support/random.js';
import { build } from '../lib/build.mjs';
import { installBytes } from '../lib/lock.mjs';
import { root } from '../lib/workspaces.mjs';
import { figuresOf } from './figures.mjs';
import { measureFilter } from './measure/filter.mjs';
import { measureGrep } from './measure/grep.mjs';
import { dumpRows, indexCold, remove, stopServers, writeBare } from './measure/indexing.mjs';
import { residentBytes } from './measure/memory.mjs';
import { measureBusy, measureIdle, partCount } from './measure/search.mjs';
import { spaceOf } from './measure/space.mjs';
import { measureChange, measureResync, measureReturn } from './measure/sync.mjs';
import { writeReport } from './report/report.mjs';
import { tableRows, textTable } from './report/table.mjs';
import { literalFrom, queriesFrom, textFiles } from './samples.mjs';
import { copyOf } from './tree/copy.mjs';
import { writeTree } from './tree/tree.mjs';

const fileCount = 8000;
const largeFiles = 4 * fileCount;
/** About 15,000 chunks. */
const smallFiles = 2150;
const otherFiles = 3000;
const randomSeed = 1;
const runCount = 3;
/** A hundred per round. */
const queryCount = 100 * partCount;
const changes = 5;
/** Leftovers are reclaimed within this time. */
const settledAfterMs = 60_000;

const [given] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'trove-bench-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = await main();
} finally {
  await stopServers();
}

async function main() {
  const code = await build({ quiet: true });
  if (code !== 0) return code;
  const folder = join(work, 'tree');
  say('preparing the trees');
  const tree =
    given === undefined
      ? writeTree(folder, { files: fileCount, seed: randomSeed })
      : copyOf(resolve(process.env.INIT_CWD ?? process.cwd(), given), folder);
  const other = join(work, 'other');
  writeTree(other, { files: otherFiles, seed: randomSeed + 1 });
  const results = await measure(folder, other, tree.bytes);
  const figures = figuresOf(results);
  console.log(textTable(tableRows(figures)));
  if (given === undefined) writeReport(join(root, 'docs/benchmarks'), tree, results, figures);
  return figures.every(({ passed }) => passed) ? 0 : 1;
}

async function measure(folder, other, textBytes) {
  const { server, indexing, bare } = await measureIndexing(folder);
  const files = textFiles(folder);
  const queries = await queriesFrom(randomFrom(randomSeed), files, queryCount);
  const literal = literalFrom(files[Math.floor(files.length / 2)]);
  say('waiting for a minute');
  await sleep(settledAfterMs);
  const space = spaceOf(server.database);
  say('searching');
  const idle = await measureIdle(server.client, server.database, queries);
  const filter = await measureFilter(server.client, queries);
  say('grep');
  const grep = await measureGrep(server.client, folder, literal);
  say('syncing');
  const resync = await measureResync(server.client, folder);
  const change = await measureChange(server.client, folder, files.slice(0, changes));
  const third = files.filter((_, at) => at % 3 === 0);
  const back = await measureReturn(server.client, folder, third);
  say('searching while indexing');
  const busy = await measureBusy(server.client, other, queries);
  await remove(server.client, other);
  say('waiting for a minute');
  await sleep(settledAfterMs);
  const rest = { memory: residentBytes(server.pid), space: spaceOf(server.database) };
  await server.stop();
  const small = given === undefined ? await measureSmall() : undefined;
  const large = given === undefined ? await measureLarge() : undefined;
  const install = installBytes('packages/trove');
  const speed = { indexing, bare, idle, filter, busy, resync, change, back, grep, small, large };
  return { ...speed, textBytes, space, rest, install };
}

/**
 * Indexes the tree and writes its rows to the bare store in turns. No server runs beside the bare store, because its
 * maintenance after a job would slow the store down. The last server is left running.
 */
async function measureIndexing(folder) {
  const indexing = [];
  const bare = [];
  let rows;
  const writeRows = async () => {
    say(`the bare store, run ${bare.length + 1} of ${runCount}`);
    const database = join(work, `bare-${bare.length + 1}`);
    bare.push(await writeBare(rows, database));
    rmSync(database, { recursive: true });
  };
  for (let run = 1; run < runCount; run++) {
    const server = await indexOnce(folder, run);
    indexing.push(server);
    await server.stop();
    rows ??= await dumpRows(server.database, join(work, 'rows'));
    await writeRows();
  }
  await writeRows();
  const server = await indexOnce(folder, runCount);
  return { server, indexing: [...indexing, server], bare };
}

function indexOnce(folder, run) {
  say(`indexing, run ${run} of ${runCount}`);
  return indexCold(folder, join(work, `home-${run}`));
}

async function measureSmall() {
  say('searching a tree a quarter as large');
  const folder = join(work, 'small');
  writeTree(folder, { files: smallFiles, seed: randomSeed });
  const server = await indexCold(folder, join(work, 'home-small'));
  // As for the whole tree, waits for the clean-up of the index before measuring searches.
  await sleep(settledAfterMs);
  const queries = await queriesFrom(randomFrom(randomSeed), textFiles(folder), queryCount);
  const times = await measureIdle(server.client, server.database, queries);
  await server.stop();
  return times;
}

async function measureLarge() {
  say('indexing a tree four times as large');
  const folder = join(work, 'large');
  writeTree(folder, { files: largeFiles, seed: randomSeed });
  const server = await indexCold(folder, join(work, 'home-large'));
  await server.stop();
  return server;
}

function say(what) {
  console.error(`${new Date().toISOString().slice(11, 19)}  ${what}`);
}
