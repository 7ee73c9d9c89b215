// npm run bench:mail [-- --messages N --report FILE]: syncs and watches a mailbox on a server (Dovecot, which needs
// root) and one in files.
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { createTrove } from 'trove';

import { build } from '../lib/build.mjs';
import { restartWithServerMemory } from './server-memory.mjs';
import { listener } from './mail/listener.mjs';
import { Mailbox } from './mail/mailbox.mjs';
import { startMailServer } from './mail/server.mjs';
import { machineLine } from './report/machine.mjs';
import { markdownTable, shown, textTable, verdict } from './report/table.mjs';

const memoryBytes = 300 * 1024 * 1024;
const syncMs = 2000;
const foundMs = 1000;
const roundCount = 5;
const pollMs = 10;
/** Automatic syncs take at most a tenth of the time, so a source rests after each. */
const restMs = 10_000;
const watchMs = 100;
const userName = 'bench@example.org';
/** The user of the mail server. */
const nobody = 65534;

restartWithServerMemory();
const { values } = parseArgs({
  options: { messages: { type: 'string', default: '50000' }, report: { type: 'string' } },
});
const messages = Number(values.messages);
const work = mkdtempSync(join(tmpdir(), 'trove-bench-mail-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const lines = [['what', 'measured', 'processor', 'target', 'verdict']];
  const server = await startMailServer();
  try {
    const box = new Mailbox(join(server.folder, userName), (path) =>
      chownSync(path, nobody, nobody),
    );
    const target = `imap://${userName}@127.0.0.1:${server.port}`;
    const { port, password } = server;
    const told = () => notificationMs(box, { port, user: userName, password });
    lines.push(...(await measureServer('IMAP', box, target, { password }, told)));
  } finally {
    await server.stop();
  }
  const files = join(work, 'Maildir');
  lines.push(
    ...(await measureServer('Maildir', new Mailbox(files), `mbox://local${files}`, {}, null)),
  );
  console.log(textTable(lines));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(lines));
  return lines.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

/** `told`: measures how long a server takes to report a message, or null where no server is involved. */
async function measureServer(where, box, target, config, told) {
  box.fill(messages);
  const trove = await createTrove({ home: join(work, `home-${where}`) });
  const sync = async () => {
    const { job_id: id } = await trove.add({ target, config, process: true });
    const { status, detail } = await trove.job(id);
    if (status !== 'succeeded') throw new Error(`${status}: ${detail}`);
  };
  const isFound = async (word) =>
    (await trove.search({ q: word, mode: 'keyword' })).results.some(({ content }) =>
      content.includes(word),
    );
  try {
    const empty = process.memoryUsage().rss;
    const memory = watchMemory();
    const first = await timeSync(sync);
    const bytes = memory.end() - empty;
    const nothing = await median(() => timeSync(sync));
    const one = await median(async () => {
      const word = box.deliver();
      const times = await timeSync(sync);
      if (!(await isFound(word))) throw new Error('the message is not found');
      return times;
    });
    const server = told === null ? null : await told();
    trove.startWorker();
    await trove.add({ target, config: { ...config, watch: true }, update: true, process: true });
    // The source watches after its first automatic find.
    await untilFound(isFound, box.deliver());
    const found = await median(async () => {
      await delay(restMs);
      return timeSync(() => untilFound(isFound, box.deliver()));
    });
    return [
      row(`${where}: first sync`, first, null),
      [`${where}: memory above an empty server`, ...checkLimit(bytes, 'bytes', memoryBytes)],
      row(`${where}: no new message`, nothing, syncMs),
      row(`${where}: one new message`, one, syncMs),
      ...(server === null ? [] : [row(`${where}: bare client notified`, server, null)]),
      row(`${where}: new message found, watched`, found, (server?.ms ?? 0) + foundMs),
    ];
  } finally {
    await trove.close();
  }
}

/** Returns the time from the delivery of a message until an idle client is notified. */
async function notificationMs(box, account) {
  const client = await listener(account);
  try {
    return await median(async () => {
      await delay(restMs);
      return timeSync(() => {
        const heard = client.heard();
        box.deliver();
        return heard;
      });
    });
  } finally {
    await client.stop();
  }
}

async function untilFound(isFound, word) {
  while (!(await isFound(word))) await delay(pollMs);
}

/** Returns elapsed time and processor time of this process. */
async function timeSync(run) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - started, cpuMs: (user + system) / 1000 };
}

async function median(run) {
  const all = [];
  for (let round = 0; round < roundCount; round++) all.push(await run());
  return all.sort((a, b) => a.ms - b.ms)[roundCount >> 1];
}

function row(name, { ms, cpuMs }, limit) {
  const target =
    limit === null ? ['–', '–'] : [`at most ${shown(limit, 'ms')}`, verdict(ms <= limit)];
  return [name, shown(ms, 'ms'), shown(cpuMs, 'ms'), ...target];
}

function checkLimit(value, unit, limit) {
  return [shown(value, unit), '–', `at most ${shown(limit, unit)}`, verdict(value <= limit)];
}

function watchMemory() {
  let most = 0;
  const look = () => void (most = Math.max(most, process.memoryUsage().rss));
  const timer = setInterval(look, watchMs);
  return {
    end() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

function pageOf(lines) {
  return `<!-- Written by \`npm run bench:mail\`. -->

# Syncs of a mailbox

A mailbox of ${messages.toLocaleString('en')} messages with 200 bytes of text. A conversation has four messages, and one message in fifty has an attachment. The
mailbox is on an IMAP server (Dovecot) on the same machine, and in a Maildir. One process syncs it with the default index, store and embedder, and with the
memory settings of \`trove serve start\`. Times are medians of ${roundCount} rounds.

- *Watched*: the time from the delivery of a message to the first search that finds it. The watched source had no new message for ${restMs / 1000} s before. With
  a server, the target is the time in which a bare client is notified, plus ${foundMs / 1000} s.
- *Processor*: processor time of the Trove process.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(lines)}
`;
}
