// npm run bench:index -- URI [--files N]: compares the index at URI with the default one, with the same generated
// tree and a server for each.
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { randomFrom } from '@trove/test-support/random.js';
import { build } from '../lib/build.mjs';
import { measureFilter } from './measure/filter.mjs';
import { indexCold, stopServers } from './measure/indexing.mjs';
import { modes, partsOf, timed } from './measure/search.mjs';
import { measureChange } from './measure/sync.mjs';
import { shown, shownRatio, textTable } from './report/table.mjs';
import { queriesFrom, textFiles } from './samples.mjs';
import { median, p95 } from './statistics.mjs';
import { writeTree } from './tree/tree.mjs';

const randomSeed = 1;
const roundCount = 3;
/** A hundred for each round, for the warm-up, and for the concurrent searches. */
const queryCount = 100 * (roundCount + 2);
const atOnce = 8;
const changes = 5;
/** The index finishes its work after a job within this time. */
const settledAfterMs = 60_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { files: { type: 'string', default: '8000' } },
});
const [uri] = positionals;
if (uri === undefined) {
  console.error('usage: npm run bench:index -- URI [--files N]   (in a namespace of its own)');
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'trove-bench-index-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = (await build({ quiet: true })) || (await main());
} finally {
  await stopServers();
}

async function main() {
  const folder = join(work, 'tree');
  writeTree(folder, { files: Number(values.files), seed: randomSeed });
  const files = textFiles(folder);
  const queries = await queriesFrom(randomFrom(randomSeed), files, queryCount);
  const servers = [await indexed(folder, 'default', ''), await indexed(folder, 'other', uri)];
  const figures = { indexing: servers.map(({ ms }) => ms) };
  await sleep(settledAfterMs);
  const parts = partsOf(queries, roundCount + 2);
  const unasked = parts.pop();
  const times = await searched(servers, parts);
  for (const mode of modes) {
    figures[`search, ${mode}, p50`] = times[mode].map(median);
    figures[`search, ${mode}, p95`] = times[mode].map(p95);
  }
  const each = async (measure) => {
    const results = [];
    for (const { client } of servers) results.push(await measure(client));
    return results;
  };
  figures[`${atOnce} hybrid searches at a time, each`] = await each((client) =>
    searchConcurrently(client, unasked),
  );
  figures['the longest filter'] = await each(async (client) =>
    median(await measureFilter(client, queries)),
  );
  figures['one changed file searchable'] = await each(
    async (client) => (await measureChange(client, folder, files.slice(0, changes))).ms,
  );
  console.log(`${files.length} files, ${servers.map(({ chunks }) => chunks).join(' and ')} chunks`);
  console.log(textTable([['what', 'default', uri.split(':')[0], 'ratio'], ...rowsOf(figures)]));
  return 0;
}

/** Starts a server that indexes the folder into the index at a URI. '' is the default index. */
async function indexed(folder, name, place) {
  const home = join(work, name);
  mkdirSync(home);
  const settings = [`namespace = "bench-${randomUUID()}"`];
  if (place !== '') settings.push('[index]', `uri = ${JSON.stringify(place)}`);
  writeFileSync(join(home, 'server.toml'), settings.join('\n'));
  return indexCold(folder, home);
}

/** Returns the milliseconds of each search by mode and server, in turns. */
async function searched(servers, parts) {
  const times = Object.fromEntries(modes.map((mode) => [mode, servers.map(() => [])]));
  for (const [round, part] of parts.entries()) {
    for (const mode of modes) {
      for (const [at, { client }] of servers.entries()) {
        for (const query of part) {
          const ms = await timed(client, mode, query);
          // The first round warms up.
          if (round > 0) times[mode][at].push(ms);
        }
      }
    }
  }
  return times;
}

/** Returns the average milliseconds of concurrent searches. */
async function searchConcurrently(client, queries) {
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async (_, lane) => {
      for (let at = lane; at < queries.length; at += atOnce) {
        await timed(client, 'hybrid', queries[at]);
      }
    }),
  );
  return (performance.now() - started) / queries.length;
}

function rowsOf(figures) {
  return Object.entries(figures).map(([what, [own, other]]) => [
    what,
    shown(own, 'ms'),
    shown(other, 'ms'),
    shownRatio(other / own),
  ]);
}
