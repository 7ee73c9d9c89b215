import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { totalOf } from '../measure/space.mjs';
import { modes } from '../measure/search.mjs';
import { machineLine } from '../report/machine.mjs';
import { growthPlot } from '../report/plots.mjs';
import { markdownTable, shown, shownRatio, verdict } from '../report/table.mjs';
import { median, p95 } from '../statistics.mjs';

const mib = 2 ** 20;
/** A figure this near to its limit is met, because machines vary. */
const tolerance = 1.05;

/** The targets for a million chunks. */
const targets = {
  indexMs: 300_000,
  search: { keyword: [15, 40], semantic: [15, 30], hybrid: [30, 60] },
  coldTimes: 4,
  spaceTimes: 2.5,
  searchingBytes: 700 * mib,
  restingBytes: 400 * mib,
  peakBytes: 1536 * mib,
  syncMs: 1000,
  grepTimes: 1.5,
};

/** Returns the cells of each figure of one size with its target, the header first. */
export function targetTable(result) {
  const { bytes, index, search, sync, grep, floors } = result;
  const rows = [
    figure('index', index.ms, 'ms', targets.indexMs, floors.lance.ms, 'bare LanceDB'),
    figure(
      'index, peak memory',
      index.peak,
      'bytes',
      targets.peakBytes,
      floors.lance.maxRssBytes,
      'bare LanceDB',
    ),
    ...modes.flatMap((mode) => searchFigures(mode, search, floors)),
    figure('disk', totalOf(index.space), 'bytes', targets.spaceTimes * bytes, bytes, 'the text'),
    figure('memory while searching', search.memory.searching, 'bytes', targets.searchingBytes),
    figure('memory at rest', search.memory.resting, 'bytes', targets.restingBytes),
    figure('sync of nothing', sync.nothingMs, 'ms', targets.syncMs),
    figure('one changed file searchable', sync.oneMs, 'ms', targets.syncMs),
    figure(
      'grep of a literal',
      grep.ms,
      'ms',
      targets.grepTimes * grep.floorMs,
      grep.floorMs,
      'ripgrep',
    ),
  ];
  return [['what', 'measured', 'floor', 'ratio', 'target', 'verdict'], ...rows];
}

function searchFigures(mode, { warm, cold }, { lance }) {
  const [middle, high] = targets.search[mode];
  const { times } = warm[mode];
  const floor = lance.times[mode];
  return [
    figure(`${mode}, p50`, median(times), 'ms', middle, median(floor), 'bare LanceDB'),
    figure(`${mode}, p95`, p95(times), 'ms', high, p95(floor), 'bare LanceDB'),
    figure(`${mode}, first after a restart`, median(cold[mode]), 'ms', targets.coldTimes * high),
  ];
}

function figure(name, value, unit, limit, floor = null, floorName = '') {
  return [
    name,
    shown(value, unit),
    floor === null ? '–' : `${shown(floor, unit)} (${floorName})`,
    shownRatio(floor === null ? null : value / floor),
    `≤ ${shown(limit, unit)}`,
    verdict(value <= limit * tolerance),
  ];
}

/** Writes the report over all sizes and its plots into a folder. */
export function writeGrowthReport(folder, results) {
  const files = {
    'million.md': pageOf(results),
    'million-index.svg': indexPlot(results),
    'million-search.svg': searchPlot(results),
    'million-space.svg': spacePlot(results),
    'million-sync.svg': syncPlot(results),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

function curve(results, name, valueOf, isFloor = false) {
  return { name, isFloor, points: results.map((result) => [result.chunks, valueOf(result)]) };
}

function indexPlot(results) {
  const curves = [
    curve(results, 'Trove', ({ index }) => index.ms / 1000),
    curve(results, 'bare LanceDB', ({ floors }) => floors.lance.ms / 1000, true),
    curve(results, 'SQLite FTS5', ({ floors }) => floors.fts.ms / 1000, true),
  ];
  return growthPlot('Time to index', curves, 's');
}

function searchPlot(results) {
  const curves = [
    ...modes.map((mode) => curve(results, mode, ({ search }) => median(search.warm[mode].times))),
    ...modes.map((mode) =>
      curve(
        results,
        `${mode}, bare LanceDB`,
        ({ floors }) => median(floors.lance.times[mode]),
        true,
      ),
    ),
    curve(results, 'FTS5, any word', ({ floors }) => median(floors.fts.anyWord), true),
  ];
  return growthPlot('Median of a search', curves, 'ms');
}

function spacePlot(results) {
  const curves = [
    curve(results, 'index', ({ index }) => totalOf(index.space) / mib),
    curve(results, 'bare LanceDB', ({ floors }) => floors.lance.bytes / mib, true),
    curve(results, 'SQLite FTS5', ({ floors }) => floors.fts.bytes / mib, true),
    curve(results, 'the text', ({ bytes }) => bytes / mib, true),
    curve(results, 'peak memory', ({ index }) => index.peak / mib),
    curve(results, 'memory at rest', ({ search }) => search.memory.resting / mib),
  ];
  return growthPlot('Disk and memory', curves, 'MB');
}

function syncPlot(results) {
  const curves = [
    curve(results, 'sync of nothing', ({ sync }) => sync.nothingMs),
    curve(results, 'one changed file searchable', ({ sync }) => sync.oneMs),
    curve(results, 'a tenth changed', ({ sync }) => sync.changedMs),
    curve(results, 'a tenth removed', ({ sync }) => sync.removedMs),
    curve(results, 'grep', ({ grep }) => grep.ms),
    curve(results, 'ripgrep', ({ grep }) => grep.floorMs, true),
  ];
  return growthPlot('Syncs and grep', curves, 'ms');
}

function growthTable(results) {
  return [
    ['chunks', ...results.map(({ chunks }) => chunks.toLocaleString('en'))],
    ['files', ...results.map(({ files }) => files.toLocaleString('en'))],
    ['index', ...results.map(({ index }) => shown(index.ms, 'ms'))],
    [
      'of which optimizing',
      ...results.map(({ index }) => shown(index.phases.optimizing ?? 0, 'ms')),
    ],
    ['processors in use', ...results.map(({ index }) => index.processor?.toFixed(2) ?? '–')],
    ['bare LanceDB', ...results.map(({ floors }) => shown(floors.lance.ms, 'ms'))],
    ['SQLite FTS5', ...results.map(({ floors }) => shown(floors.fts.ms, 'ms'))],
    ...modes.flatMap((mode) => [
      [`${mode}, p50 / p95`, ...results.map(({ search }) => latency(search.warm[mode].times))],
      [
        `${mode}, processor time`,
        ...results.map(({ search }) => shown(search.warm[mode].processor, 'ms')),
      ],
      [`${mode}, bare LanceDB`, ...results.map(({ floors }) => latency(floors.lance.times[mode]))],
      [`${mode}, while indexing`, ...results.map(({ search }) => latency(search.busy[mode]))],
      [
        `${mode}, first after a restart`,
        ...results.map(({ search }) => latency(search.cold[mode])),
      ],
    ]),
    ...Object.keys(results[0].search.filters).map((name) => [
      `hybrid, ${name}`,
      ...results.map(({ search }) => latency(search.filters[name])),
    ]),
    ['FTS5, any word', ...results.map(({ floors }) => latency(floors.fts.anyWord))],
    ['FTS5, all words', ...results.map(({ floors }) => latency(floors.fts.allWords))],
    ['the text', ...results.map(({ bytes }) => shown(bytes, 'bytes'))],
    ...['rows', 'text', 'vectors', 'other'].map((part) => [
      `disk, ${part}`,
      ...results.map(({ index }) => shown(index.space[part], 'bytes')),
    ]),
    ['disk, total', ...results.map(({ index }) => shown(totalOf(index.space), 'bytes'))],
    [
      'disk, right after the job',
      ...results.map(({ index }) => shown(totalOf(index.spaceAtEnd), 'bytes')),
    ],
    [
      'disk, a tenth changed',
      ...results.map(({ sync }) => shown(totalOf(sync.changedSpace), 'bytes')),
    ],
    [
      'disk, a tenth removed',
      ...results.map(({ sync }) => shown(totalOf(sync.removedSpace), 'bytes')),
    ],
    ['peak memory', ...results.map(({ index }) => shown(index.peak, 'bytes'))],
    [
      'memory while searching',
      ...results.map(({ search }) => shown(search.memory.searching, 'bytes')),
    ],
    ['memory at rest', ...results.map(({ search }) => shown(search.memory.resting, 'bytes'))],
    ['restart until ready', ...results.map(({ readyMs }) => shown(readyMs, 'ms'))],
    ['sync of nothing', ...results.map(({ sync }) => shown(sync.nothingMs, 'ms'))],
    ['one changed file searchable', ...results.map(({ sync }) => shown(sync.oneMs, 'ms'))],
    ['a tenth changed', ...results.map(({ sync }) => shown(sync.changedMs, 'ms'))],
    ['a tenth removed', ...results.map(({ sync }) => shown(sync.removedMs, 'ms'))],
    ['grep of a literal', ...results.map(({ grep }) => shown(grep.ms, 'ms'))],
    ['ripgrep', ...results.map(({ grep }) => shown(grep.floorMs, 'ms'))],
  ];
}

function latency(times) {
  return `${shown(median(times), 'ms')} / ${shown(p95(times), 'ms')}`;
}

function pageOf(results) {
  const largest = results.at(-1);
  const table = targetTable(largest);
  const missed = table.filter((cells) => cells.at(-1) === verdict(false)).length;
  return `<!-- Written by \`npm run bench:million\`. -->

# A million chunks

${table.length - 1 - missed} of ${table.length - 1} targets are met at ${largest.chunks.toLocaleString('en')} chunks.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}.
- Trees of generated text files (Markdown, plain text, code) with up to ${largest.files.toLocaleString('en')} files.
- The server runs as a separate process with default settings, and every request goes through HTTP. Memory and processor time include the process that
  builds the index.

${markdownTable(table)}

## Growth

${markdownTable(growthTable(results))}

![Time to index](million-index.svg)

![Median of a search](million-search.svg)

![Disk and memory](million-space.svg)

![Syncs and grep](million-sync.svg)

## The floors

- **Bare LanceDB** writes the server's rows with all columns into a table, 4,000 at a time, and builds the text indices and the vector index. Its queries
  return the ten best hits with all columns that an answer needs. Terms and vectors are prepared beforehand.
- **SQLite FTS5** indexes the whole files with the tokenizer \`porter unicode61\`. Its queries return the ten best files with a passage each.
- **ripgrep** searches the same files for the same literal. Its start is included.

To repeat the measurement, run \`npm run bench:million\`. \`npm run bench:million -- --folder FOLDER\` uses a copy of your own files.
`;
}
