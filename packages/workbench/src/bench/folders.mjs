// npm run bench:folders [-- --folders N --files N --databases N --buckets N --report FILE]: measures memory, threads,
// connections and searches of very many small sources, and compares them with one source of the same content.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { startServer } from '../lib/server.mjs';
import { connect } from './client.mjs';
import { measureGrep } from './measure/grep.mjs';
import { residentBytes, resetPeak, watchMemory } from './measure/memory.mjs';
import { machineLine } from './report/machine.mjs';
import { timed } from './measure/time.mjs';
import { atMost, markdownTable, shown, shownRatio, textTable, verdict } from './report/table.mjs';
import { makeNotes, startBuckets, writeDatabases, writeFolders } from './sources/notes.mjs';
import { measureListing, measureQueries } from './sources/queries.mjs';
import { resourcesOf, threadsOf, watchChildren } from './sources/resources.mjs';

const mib = 2 ** 20;
const memoryBytes = 500 * mib;
const grepTimes = 3;
/** The maximum time of many sources as a multiple of that of one source. */
const maxRatio = 1.5;
const maxReadyMs = 3000;
const atOnce = 8;
const pollMs = 200;
/** Idle threads end within this time, also those of the index. */
const idleMs = 20_000;
const queryCount = 40;
const queryWords = 3;
const rareWord = 'quince';

const { values } = parseArgs({
  options: {
    folders: { type: 'string', default: '1000' },
    files: { type: 'string', default: '10' },
    databases: { type: 'string', default: '200' },
    buckets: { type: 'string', default: '100' },
    report: { type: 'string' },
  },
});
const files = Number(values.files);
const counts = {
  folder: Number(values.folders),
  database: Number(values.databases),
  bucket: Number(values.buckets),
};
const total = counts.folder + counts.database + counts.bucket;
const work = mkdtempSync(join(tmpdir(), 'trove-bench-folders-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const notes = Object.fromEntries(
    Object.entries(counts).map(([kind, count]) => [kind, makeNotes(kind, count, files)]),
  );
  const queries = queriesFrom(Object.values(notes).flatMap((each) => [...each.values()].flat()));
  const folders = await measureFolders(notes.folder);
  console.log(textTable(folders.lines));
  const buckets = await startBuckets(notes.bucket);
  const added = [
    ...(await writeDatabases(join(work, 'databases'), notes.database)),
    ...buckets.targets,
  ];
  const many = await measureMany(added, queries);
  await buckets.stop();
  const one = await measureOne(notes, queries);
  const all = manyLines(many, one);
  console.log(textTable(all));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(folders.lines, all));
  return [...folders.lines, ...all].some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

/** Measures the folders alone. Leaves them registered in the home. */
async function measureFolders(notes) {
  const tree = join(work, 'tree');
  writeFolders(tree, notes);
  const server = await openServer('home');
  const empty = residentBytes(server.pid);
  const targets = Array.from(notes.keys(), (name) => ({ target: join(tree, name) }));
  const adding = await measureAdding(server, targets);
  const searched = await searchFolders(server, tree);
  await server.stop();
  const readyMs = await measureRestart('home');
  return {
    lines: [
      ['what', 'measured', 'target', 'verdict'],
      ['memory of the empty server', shown(empty, 'bytes'), '–', '–'],
      ...addingLines(adding),
      ['grep for a literal in all folders', shown(searched.ms, 'ms'), '–', '–'],
      [
        `the same, relative to ${searched.beside}`,
        shownRatio(searched.ms / searched.floorMs),
        `at most ${grepTimes} ×`,
        verdict(searched.ms <= searched.floorMs * grepTimes),
      ],
      ['peak memory during searches', ...atMost(searched.peak, 'bytes', memoryBytes)],
      ['most threads during searches', String(searched.threads), '–', '–'],
      ['restart until ready', ...atMost(readyMs, 'ms', maxReadyMs)],
    ],
  };
}

/** Adds the databases and buckets to the folders, and measures the server with all of them. */
async function measureMany(targets, queries) {
  const server = await openServer('home');
  const adding = await measureAdding(server, targets);
  const times = await measureQueries(server.client, queries);
  resetPeak(server.pid);
  const memory = watchMemory(server.pid);
  const children = watchChildren(server.pid, pollMs);
  const grepMs = await timed(() => grepAll(server.client));
  const grep = { ms: grepMs, children: children.stop(), peak: memory.stop().peak };
  await server.stop();
  return { adding, times, grep, readyMs: await measureRestart('home') };
}

/** Measures a server with the same content in one folder. */
async function measureOne(notes, queries) {
  const tree = join(work, 'one');
  for (const each of Object.values(notes)) writeFolders(tree, each);
  const server = await openServer('home-of-one');
  const { peak } = await measureAdding(server, [{ target: tree }]);
  const times = await measureQueries(server.client, queries);
  const listMs = await measureListing(server.client, tree, total);
  const grepMs = await timed(() => grepAll(server.client));
  await server.stop();
  return { peak, times, listMs, grepMs };
}

async function openServer(name) {
  const home = join(work, name);
  const { endpoint, pid, stop } = await startServer(home);
  const token = readFileSync(join(home, 'server.token'), 'utf8').trim();
  const client = connect(endpoint, token);
  return {
    client,
    pid,
    stop: () => {
      client.close();
      return stop();
    },
  };
}

async function measureAdding({ client, pid }, targets) {
  const memory = watchMemory(pid);
  const children = watchChildren(pid, pollMs);
  const ms = await timed(() => addAll(client, targets));
  const peak = memory.stop().peak;
  const most = children.stop();
  await sleep(idleMs);
  return { ms, peak, children: most, idle: residentBytes(pid), resources: resourcesOf(pid) };
}

async function measureRestart(home) {
  let again;
  const ms = await timed(async () => (again = await startServer(join(work, home))));
  await again.stop();
  return ms;
}

async function addAll(client, targets) {
  const left = [...targets];
  const addSome = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop())
      await client.post('/v1/add', next);
  };
  await Promise.all(Array.from({ length: atOnce }, addSome));
  for (;;) {
    const { connectors } = await client.get('/v1/status');
    const failed = connectors.find(({ status }) => status === 'error');
    if (failed !== undefined) throw new Error(`${failed.root_uri}: ${failed.detail}`);
    if (connectors.every(({ status }) => status === 'active')) break;
    await sleep(pollMs);
  }
}

async function searchFolders({ client, pid }, tree) {
  resetPeak(pid);
  const memory = watchMemory(pid);
  let threads = 0;
  const look = setInterval(() => (threads = Math.max(threads, threadsOf(pid))), pollMs / 4);
  const { ms, floorMs, ripgrep } = await measureGrep(client, tree, rareWord);
  clearInterval(look);
  const beside = ripgrep === undefined ? 'all files read in Node' : `ripgrep ${ripgrep}`;
  return { ms, floorMs, threads, peak: memory.stop().peak, beside };
}

async function grepAll(client) {
  const query = new URLSearchParams({ pattern: rareWord });
  const { results } = await client.get(`/v1/grep?${query}`);
  const failed = results.find(({ source }) => source === null);
  if (failed !== undefined) throw new Error(failed.content);
  if (results.length === 0) throw new Error(`grep did not find "${rareWord}"`);
}

/** Returns queries of a few long words from texts across all sources. */
function queriesFrom(texts) {
  const step = Math.max(1, Math.floor(texts.length / queryCount));
  return texts
    .filter((_, at) => at % step === 0)
    .map((text) => (text.match(/[a-z]{6,}/g) ?? []).slice(0, queryWords).join(' '));
}

function addingLines({ ms, peak, idle, resources }) {
  const { threads, children, files: openFiles, sockets } = resources;
  return [
    ['added and synced', shown(ms, 'ms'), '–', '–'],
    ['peak memory while adding', ...atMost(peak, 'bytes', memoryBytes)],
    ['memory when idle', ...atMost(idle, 'bytes', memoryBytes)],
    ['threads when idle', String(threads), '–', '–'],
    ['child processes when idle', String(children), '–', '–'],
    ['open files when idle, of these sockets', `${openFiles}, ${sockets}`, '–', '–'],
  ];
}

function manyLines({ adding, times, grep, readyMs }, one) {
  const ratioLine = (name, ms, floorMs, floorName) => [
    name,
    shown(ms, 'ms'),
    `at most ${maxRatio} × ${floorName} (${shown(floorMs, 'ms')})`,
    verdict(ms <= maxRatio * floorMs),
  ];
  return [
    ['what', 'measured', 'target', 'verdict'],
    ...addingLines(adding),
    ['peak memory while adding one source', shown(one.peak, 'bytes'), '–', '–'],
    ['most child processes while adding', String(adding.children), '–', '–'],
    ratioLine('`status`', times.status, one.listMs, '`ls` of a folder with as many folders'),
    ratioLine('keyword search', times.keyword, one.times.keyword, 'in one source'),
    ratioLine('hybrid search', times.hybrid, one.times.hybrid, 'in one source'),
    [
      'first grep in all sources',
      shown(grep.ms, 'ms'),
      `– (in one source: ${shown(one.grepMs, 'ms')})`,
      '–',
    ],
    ['most child processes during grep', String(grep.children), '–', '–'],
    ['peak memory with grep', ...atMost(grep.peak, 'bytes', memoryBytes)],
    ['restart until ready', ...atMost(readyMs, 'ms', maxReadyMs)],
  ];
}

function pageOf(folderLines, allLines) {
  const number = (count) => count.toLocaleString('en');
  return `<!-- Written by \`npm run bench:folders\`. -->

# Many small sources

One server with very many sources, compared with one source of the same content.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

## Folders

${number(counts.folder)} folders, each with ${files} ${files === 1 ? 'file' : 'files'}, are registered as separate sources. A server syncs them and searches them with \`grep\`. Then it restarts.

${markdownTable(folderLines)}

## Folders, databases and buckets

${number(counts.database)} SQLite databases and ${number(counts.bucket)} buckets, each with as many records or objects, are added to the same server. The other
server has the same ${number(total * files)} texts as files of one folder. \`trove ls\` without a path lists the sources of \`status\`. Memory includes child processes.

${markdownTable(allLines)}
`;
}
