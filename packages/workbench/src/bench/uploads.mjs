// npm run bench:uploads [-- --report FILE]: measures folders that the command line sends to a server twice, and
// archives that a server must reject.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { build } from '../lib/build.mjs';
import { startServer } from '../lib/server.mjs';
import { root } from '../lib/workspaces.mjs';
import { residentBytes, watchMemory } from './measure/memory.mjs';
import { machineLine } from './report/machine.mjs';
import { timed } from './measure/time.mjs';
import { atMost, markdownTable, shown, textTable, verdict } from './report/table.mjs';
import { hostileArchives } from './uploads/hostile.mjs';
import { countingWire } from './uploads/wire.mjs';

const kib = 2 ** 10;
const mib = 2 ** 20;
const memoryBytes = 100 * mib;
const refusedMs = 1000;
const filesInFolder = 500;
const smallFiles = 200;
/** Idle threads end within this time. */
const idleMs = 10_000;
/** Bytes without text, because only their transfer counts. */
const trees = [
  { name: '1,000 files of 1 MB', files: 1000, bytes: mib },
  { name: '50,000 files of 20 kB', files: 50_000, bytes: 20 * 1024 },
];

const { values } = parseArgs({ options: { report: { type: 'string' } } });
const work = mkdtempSync(join(tmpdir(), 'trove-bench-uploads-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const lines = [['what', 'measured', 'target', 'verdict']];
  for (const tree of trees) lines.push(...(await sendTwice(tree)));
  lines.push(...(await isRefused()));
  console.log(textTable(lines));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(lines));
  return lines.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

/** Sends a folder to an empty server, and again without changes. */
async function sendTwice({ name, files, bytes }) {
  const folder = join(work, 'tree');
  writeFiles(folder, files, bytes);
  const server = await startServer(join(work, 'home'));
  const wire = await countingWire(server.endpoint);
  const send = (onSent) => timed(() => trove(server, wire, ['add', folder, '--upload'], onSent));
  try {
    const started = residentBytes(server.pid);
    await use(server, wire);
    const used = residentBytes(server.pid);
    const memory = watchMemory(server.pid);
    wire.counted();
    let rise = 0;
    const firstMs = await send(() => (rise = memory.stop().peak - used));
    const firstBytes = wire.counted();
    if (firstBytes < files * bytes) throw new Error('the files were not sent');
    const againMs = await send();
    const againBytes = wire.counted();
    // The metadata of each file in the requests is smaller.
    const most = files * bytes * 0.01;
    return [
      [`${name}: sent and synced`, shown(firstMs, 'ms'), '–', '–'],
      [`${name}: memory of the server after its start`, shown(started, 'bytes'), '–', '–'],
      [`${name}: memory of the server after use, idle`, shown(used, 'bytes'), '–', '–'],
      [`${name}: rise of memory while receiving`, ...atMost(rise, 'bytes', memoryBytes)],
      [`${name}: sent again, unchanged`, shown(againMs, 'ms'), '–', '–'],
      [
        `${name}: bytes sent the second time`,
        kilobytes(againBytes),
        'no file',
        verdict(againBytes < most),
      ],
    ];
  } finally {
    await wire.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
    rmSync(join(work, 'home'), { recursive: true });
  }
}

/** Uploads and searches a small folder, because a used server keeps some memory regardless of later uploads. */
async function use(server, wire) {
  const folder = join(work, 'small');
  writeFiles(folder, smallFiles, kib);
  for (let file = 0; file < smallFiles; file++) {
    const text = `# Note ${file}\n\n${'A few words about pears and apples. '.repeat(50)}\n`;
    writeFileSync(join(folder, `${file}.md`), text);
  }
  await trove(server, wire, ['add', folder, '--upload']);
  await trove(server, wire, ['search', 'apples']);
  await sleep(idleMs);
  rmSync(folder, { recursive: true });
}

function writeFiles(folder, files, bytes) {
  for (let file = 0; file < files; file++) {
    const inside = join(folder, String(Math.floor(file / filesInFolder)));
    if (file % filesInFolder === 0) mkdirSync(inside, { recursive: true });
    writeFileSync(join(inside, `${file}.bin`), randomBytes(bytes));
  }
}

/**
 * Runs the command line. `onSent` is called when it reports that all files were sent and the server starts to read
 * them.
 */
async function trove({ environment }, wire, args, onSent) {
  const env = { ...process.env, ...environment, TROVE_ENDPOINT: wire.endpoint };
  const program = join(root, 'packages/cli/bin/trove.js');
  const command = spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(command, 'exit');
  for await (const line of createInterface({ input: command.stderr }))
    if (line.startsWith('Sent')) onSent?.();
  const [code] = await exited;
  if (code !== 0) throw new Error(`trove ${args.join(' ')}: exit code ${code}`);
}

async function isRefused() {
  const home = join(work, 'home');
  const server = await startServer(home);
  const lines = [];
  try {
    const token = readFileSync(join(home, 'server.token'), 'utf8').trim();
    for (const { name, body } of hostileArchives()) {
      const ms = await timed(() => assertRefused(server.endpoint, token, body));
      if (filesIn(join(home, 'uploads')) > 0) throw new Error(`${name}: it left files`);
      lines.push([`refused: ${name}`, ...atMost(ms, 'ms', refusedMs)]);
    }
  } finally {
    await server.stop();
  }
  return lines;
}

async function assertRefused(endpoint, token, body) {
  const response = await fetch(`${endpoint}/v1/upload?name=hostile`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-tar' },
  });
  const text = await response.text();
  if (response.status < 400 || response.status >= 500) throw new Error(`not rejected: ${text}`);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

function kilobytes(bytes) {
  return `${Math.round(bytes / 1000).toLocaleString('en')} kB`;
}

function pageOf(lines) {
  return `<!-- Written by \`npm run bench:uploads\`. -->

# Files sent to a server

\`trove add --upload\` sends two folders of a gigabyte to a server on the same machine, and then sends the unchanged folders again. Their files cannot be
indexed. A separate client sends archives that the server must refuse.

- A relay between client and server counts the bytes.
- Memory is the rise above the idle server, which has already received, indexed and searched a small folder. It is watched until the command reports that
  all files are sent. The folder is sent in parts. The server reads each part in full before it accepts the next, and this reading counts.
- After each refusal, no file of the archive is left on the disk.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(lines)}
`;
}
