import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom } from '@trove/test-support/random.js';
import { indexCold, remove, stopServers } from './measure/indexing.mjs';
import { measureBusy, measureIdle } from './measure/search.mjs';
import { measureReturn } from './measure/sync.mjs';
import { queriesFrom, textFiles } from './samples.mjs';
import { writeTree } from './tree/tree.mjs';
const work = mkdtempSync(join(tmpdir(), 'trove-busy-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
const q = (l, p) => [...l].sort((a, b) => a - b)[Math.floor(l.length * p)].toFixed(1);
try {
  const folder = join(work, 'tree'); writeTree(folder, { files: 8000, seed: 1 });
  const other = join(work, 'other'); writeTree(other, { files: 3000, seed: 2 });
  const server = await indexCold(folder, join(work, 'home'));
  await sleep(20000);
  const files = textFiles(folder);
  const queries = await queriesFrom(randomFrom(1), files, 400);
  const idle = await measureIdle(server.client, server.database, queries.slice(0, 200));
  for (const [m, { own, floor }] of Object.entries(idle)) console.log('idle', m, q(own, .5), q(own, .95), 'floor', q(floor, .5), q(floor, .95));
  if (process.argv[2] === 'return') console.log(await measureReturn(server.client, folder, files.filter((_, at) => at % 3 === 0)));
  const t = performance.now();
  const busy = await measureBusy(server.client, other, queries);
  console.log('job s', (performance.now() - t) / 1000);
  for (const [m, l] of Object.entries(busy)) { console.log('busy', m, l.length, q(l, .5), q(l, .95), q(l, .99)); }
  if (process.argv[3]) console.log(busy.hybrid.map((x) => Math.round(x)).join(' '));
} finally { await stopServers(); }
