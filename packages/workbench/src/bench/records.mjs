// npm run bench:records [-- --rows N --report FILE]: syncs a table of records and compares it with the bare store and
// the bare stream.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { createTrove } from 'trove';

import { build } from '../lib/build.mjs';
import { restartWithServerMemory } from './server-memory.mjs';
import { changedText, cursorOf, databaseOf } from './records/table.mjs';
import { residentBytes } from './measure/memory.mjs';
import { machineLine } from './report/machine.mjs';
import { timed } from './measure/time.mjs';
import { markdownTable, shown, shownRatio, textTable, verdict } from './report/table.mjs';

const watchMs = 100;
const storeTimes = 3;
const streamTimes = 3;
const cursorMs = 2000;
const memoryBytes = 300 * 1024 * 1024;

restartWithServerMemory();
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, report: { type: 'string' } },
});
const rows = Number(values.rows);
const work = mkdtempSync(join(tmpdir(), 'trove-bench-records-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
process.exitCode = (await build({ quiet: true })) || (await main());

async function main() {
  const bare = fileURLToPath(new URL('./records/bare-store.mjs', import.meta.url));
  const storeMs = Number(
    execFileSync(process.execPath, [bare, join(work, 'bare.lance'), String(rows)]),
  );
  const path = join(work, 'rows.db');
  const made = fileURLToPath(new URL('./records/make-table.mjs', import.meta.url));
  execFileSync(process.execPath, [made, path, String(rows)]);
  const plain = await synced('plain', databaseOf({ rows, path }));
  const following = await synced('following', cursorOf({ rows }));
  const { streamMs } = plain;
  const lines = [
    ['what', 'measured', 'floor', 'ratio', 'target', 'verdict'],
    comparisonRow('first sync', plain.firstMs, storeMs, 'bare store', storeTimes),
    atMost('memory above an empty server', plain.bytes, 'bytes', memoryBytes),
    comparisonRow(
      'one row changed, without a cursor',
      plain.changedMs,
      streamMs,
      'bare stream',
      streamTimes,
    ),
    atMost('one row changed, with a cursor', following.changedMs, 'ms', cursorMs),
    counted('rows embedded after it', Math.max(plain.written, following.written)),
  ];
  console.log(textTable(lines));
  console.log(builderLine(plain.builderBytes));
  if (values.report !== undefined) writeFileSync(values.report, pageOf(lines, plain.builderBytes));
  return lines.some((cells) => cells.at(-1) === 'MISS') ? 1 : 0;
}

/** Returns the times of syncs of one table and the peak memory of the first. */
async function synced(home, table) {
  const trove = await createTrove({ home: join(work, home), plugins: table.plugins });
  let written = 0;
  const sync = () =>
    timed(async () => {
      const { job_id: id } = await trove.add({ target: table.target, process: true });
      const { status, detail, chunks } = await trove.job(id);
      if (status !== 'succeeded') throw new Error(`${status}: ${detail}`);
      written = chunks;
    });
  try {
    const empty = process.memoryUsage().rss;
    const memory = watchMemory();
    const firstMs = await sync();
    const { own, builder: builderBytes } = memory.end();
    const bytes = own - empty;
    const streamMs = await timed(() => table.stream());
    await table.change();
    const changedMs = await sync();
    const { results } = await trove.search({ q: changedText, mode: 'keyword' });
    if (!results.some(({ content }) => content === `id: ${table.changedId}\ntext: ${changedText}`))
      throw new Error('the row is not found');
    return { streamMs, firstMs, bytes, builderBytes, changedMs, written };
  } finally {
    await trove.close();
  }
}

/** Returns the peak memory of this process and of its index builder. */
function watchMemory() {
  const most = { own: 0, builder: 0 };
  const look = () => {
    const own = process.memoryUsage().rss;
    most.own = Math.max(most.own, own);
    most.builder = Math.max(most.builder, residentBytes(process.pid) - own);
  };
  const timer = setInterval(look, watchMs);
  return {
    end() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

function builderLine(bytes) {
  return `The process that builds the index used at most ${shown(bytes, 'bytes')} and exits when the index is built.`;
}

function comparisonRow(name, ms, floorMs, floorName, times) {
  const ratio = ms / floorMs;
  const target = `at most ${times} ×`;
  return [
    name,
    shown(ms, 'ms'),
    `${shown(floorMs, 'ms')} (${floorName})`,
    shownRatio(ratio),
    target,
    verdict(ratio <= times),
  ];
}

function atMost(name, value, unit, limit) {
  return [
    name,
    shown(value, unit),
    '–',
    '–',
    `at most ${shown(limit, unit)}`,
    verdict(value <= limit),
  ];
}

function counted(name, count) {
  return [name, String(count), '–', '–', '1', verdict(count === 1)];
}

function pageOf(lines, builderBytes) {
  return `<!-- Written by \`npm run bench:records\`. -->

# Syncs of a table

A SQLite table of ${rows.toLocaleString('en')} rows with 200 bytes of text each. One process syncs it with the default index, store and embedder, and with the memory
settings of \`trove serve start\`.

- *Bare store*: writes the same prepared rows to the same index and builds its indices.
- *Bare stream*: reads the table with the same connector and discards the rows.
- *With a cursor*: a source that generates the rows and reports the changed one.
- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.

${markdownTable(lines)}

${builderLine(builderBytes)}
`;
}
