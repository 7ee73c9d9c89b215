// npm run bench:folders [-- --folders N --files N --report FILE]: measures memory, threads and searches of very many
// small sources.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { startServer } from '../lib/server.mjs';
import { connect } from './client.mjs';
import { measureGrep } from './measure/grep.mjs';
import { residentBytes, watchMemory } from './measure/memory.mjs';
import { machineLine } from './report/machine.mjs';
import { timed } from './measure/time.mjs';
import { atMost, markdownTable, shown, shownRatio, textTable, verdict } from './report/table.mjs';

const mib = 2 ** 20;
const memoryBytes = 500 * mib;
const grepTimes = 3;
const maxReadyMs = 3000;
const atOnce = 8;
const pollMs = 200;
/** Idle threads end within this time. */
const idleMs = 10_000;

const { values } = parseArgs({
  options: {
    folders: { type: 'string', default: '1000' },
    files: { type: 'string', default: '1' },
    report: { type: 'string' },
  },
});
const folders = Number(values.folders);
const files = Number(values.files);
const work = mkdtempSync(join(tmpdir(), 'trove-bench-folders-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const tree = join(work, 'tree');
  writeFolders(tree);
  const home = join(work, 'home');
  const first = await startServer(home);
  const token = readFileSync(join(home, 'server.token'), 'utf8').trim();
  const empty = residentBytes(first.pid);
  const memory = watchMemory(first.pid);
  const addMs = await timed(() => addAll(first.endpoint, token, tree));
  const { peak } = memory.stop();
  await sleep(idleMs);
  const idle = residentBytes(first.pid);
  const threads = threadsOf(first.pid);
  const searched = await searchAll(first, token, tree);
  await first.stop();

  let again;
  const readyMs = await timed(async () => (again = await startServer(home)));
  await again.stop();
  const lines = [
    ['what', 'measured', 'target', 'verdict'],
    ['memory of the empty server', shown(empty, 'bytes'), '–', '–'],
    ['added and synced', shown(addMs, 'ms'), '–', '–'],
    ['peak memory while adding', ...atMost(peak, 'bytes', memoryBytes)],
    ['memory when idle', ...atMost(idle, 'bytes', memoryBytes)],
    ['threads when idle', String(threads), '–', '–'],
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
  ];
  console.log(textTable(lines));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(lines));
  return lines.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

function writeFolders(tree) {
  for (let folder = 0; folder < folders; folder++) {
    const inside = join(tree, `folder-${folder}`);
    mkdirSync(inside, { recursive: true });
    for (let file = 0; file < files; file++) {
      const rare = file === 0 && folder % 100 === 0 ? 'A quince is here.\n' : '';
      const text = `# Note ${file}\n\n${'A few words about pears and apples. '.repeat(50)}\n${rare}`;
      writeFileSync(join(inside, `note-${file}.md`), text);
    }
  }
}

async function addAll(endpoint, token, tree) {
  const client = connect(endpoint, token);
  const names = readdirSync(tree);
  const addSome = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await client.post('/v1/add', { target: join(tree, name) });
  };
  await Promise.all(Array.from({ length: atOnce }, addSome));
  for (;;) {
    const { connectors } = await client.get('/v1/status');
    if (connectors.every(({ status }) => status === 'active')) break;
    await sleep(pollMs);
  }
  client.close();
}

async function searchAll({ endpoint, pid }, token, tree) {
  const memory = watchMemory(pid);
  let threads = 0;
  const look = setInterval(() => (threads = Math.max(threads, threadsOf(pid))), pollMs / 4);
  const client = connect(endpoint, token);
  const { ms, floorMs, ripgrep } = await measureGrep(client, tree, 'quince');
  client.close();
  clearInterval(look);
  const beside = ripgrep === undefined ? 'all files read in Node' : `ripgrep ${ripgrep}`;
  return { ms, floorMs, threads, peak: memory.stop().peak, beside };
}

/** Only where the system reports it (Linux). */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).length;
  } catch {
    return 0;
  }
}

function pageOf(lines) {
  return `<!-- Written by \`npm run bench:folders\`. -->

# Many small sources

${folders.toLocaleString('en')} folders, each with ${files} ${files === 1 ? 'file' : 'files'}, are registered as separate sources. A server syncs them and searches them with \`grep\`. Then it restarts.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(lines)}
`;
}
