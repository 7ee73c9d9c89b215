// npm run bench:rights [-- --files N --queries N]: measures searches by tokens with paths beside the same searches by a
// token without paths, in turns. The queries have words of files that both tokens see. A second table shows queries with
// words of all files: most of their rare words are unknown to the token with paths, so its searches look for other spellings.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { randomFrom } from '@trove/test-support/random.js';
import { build } from '../lib/build.mjs';
import { connect } from './client.mjs';
import { indexCold, stopServers } from './measure/indexing.mjs';
import { modes, partsOf } from './measure/search.mjs';
import { shown, shownRatio, textTable, verdict } from './report/table.mjs';
import { queriesFrom, textFiles } from './samples.mjs';
import { median, p95 } from './statistics.mjs';
import { writeTree } from './tree/tree.mjs';

const randomSeed = 1;
const warmUp = 20;
/** The numbers of single files that tokens see. A token has at most 100 paths. */
const fileCounts = [1, 30, 100];
/** The maximum p95 of a token with paths, as a multiple of that of a token without paths. */
const maxRatio = 1.3;
/** The index finishes its work after a job within this time. */
const settledAfterMs = 60_000;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '8000' },
    queries: { type: 'string', default: '200' },
  },
});
const work = mkdtempSync(join(tmpdir(), 'trove-bench-rights-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
try {
  process.exitCode = (await build({ quiet: true })) || (await main());
} finally {
  await stopServers();
}

async function main() {
  const tree = join(work, 'tree');
  writeTree(tree, { files: Number(values.files), seed: randomSeed });
  const server = await indexCold(tree, join(work, 'home'));
  await sleep(settledAfterMs);
  const files = textFiles(tree);
  const tokens = [];
  for (const [name, paths] of Object.entries(pathsOf(tree, files))) {
    const { token } = await server.client.post('/v1/tokens', { name, rights: 'read', paths });
    tokens.push({ name, files: filesBelow(paths, files), client: connect(server.endpoint, token) });
  }
  const random = randomFrom(randomSeed);
  const visible = await rowsOf(random, server.client, tokens, maxRatio);
  print('words of visible files', visible);
  const [, ...limited] = tokens.map((token) => ({ ...token, files }));
  print('words of all files', await rowsOf(random, server.client, limited, null));
  for (const { client } of tokens) client.close();
  await server.stop();
  return visible.every((cells) => cells.at(-1) === verdict(true)) ? 0 : 1;
}

function print(title, rows) {
  const header = ['token', 'mode', 'without paths', 'with paths', 'ratio', 'target', 'verdict'];
  console.log(`${title}\n${textTable([header, ...rows])}\n`);
}

/** Returns the rows of each token and mode. `limit`: the target of their ratio, or null. */
async function rowsOf(random, every, tokens, limit) {
  const rows = [];
  for (const { name, files, client } of tokens) {
    // The server caches results, so each measurement has other queries.
    const queries = await queriesFrom(random, files, Number(values.queries) * modes.length);
    const parts = partsOf(queries, modes.length);
    for (const mode of modes)
      rows.push(row(name, mode, await inTurns(every, client, mode, parts.pop()), limit));
  }
  return rows;
}

/** Returns the files that are at or below one of the paths. */
function filesBelow(paths, files) {
  return files.filter((file) => paths.some((path) => file === path || file.startsWith(path + sep)));
}

/** Returns the paths of tokens by name. */
function pathsOf(tree, files) {
  const folders = readdirSync(tree, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(tree, name));
  return {
    everything: [tree],
    'half-of-the-folders': folders.slice(0, Math.ceil(folders.length / 2)),
    'one-folder': folders.slice(0, 1),
    ...Object.fromEntries(fileCounts.map((count) => [`${count}-files`, spread(files, count)])),
  };
}

/** Returns files at equal distances in the list. */
function spread(files, count) {
  const step = Math.ceil(files.length / count);
  return files.filter((_, at) => at % step === 0);
}

/** Searches with both clients, either first, and returns their times. */
async function inTurns(every, limited, mode, queries) {
  const times = { every: [], limited: [] };
  for (const [at, query] of queries.entries()) {
    const turns = [
      ['every', every],
      ['limited', limited],
    ];
    if (at % 2 === 1) turns.reverse();
    for (const [name, client] of turns) {
      const ms = await searchMs(client, mode, query);
      if (at >= warmUp) times[name].push(ms);
    }
  }
  return times;
}

async function searchMs(client, mode, { text }) {
  const path = `/v1/search?${new URLSearchParams({ q: text, mode, top_k: '10' })}`;
  const started = performance.now();
  await client.get(path);
  return performance.now() - started;
}

function row(name, mode, { every, limited }, limit) {
  const ratio = p95(limited) / p95(every);
  const target =
    limit === null ? ['', ''] : [`at most ${shownRatio(limit)}`, verdict(ratio <= limit)];
  const times = [every, limited].map(
    (each) => `${shown(median(each), 'ms')} / ${shown(p95(each), 'ms')}`,
  );
  return [name, mode, ...times, shownRatio(ratio), ...target];
}
