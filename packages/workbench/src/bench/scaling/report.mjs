import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { modes } from '../measure/search.mjs';
import { machineLine } from '../report/machine.mjs';
import { growthPlot } from '../report/plots.mjs';
import { markdownTable, shown } from '../report/table.mjs';
import { median, p95 } from '../statistics.mjs';
import { exponentOf } from './growth.mjs';
import { growthTable, shownRows, sum, targetRows, wallsOf } from './limits.mjs';

const thousand = 1000;
/** Tables with less than this share of the database are left out. */
const minShare = 0.01;

/** Writes the report and its plots into a folder. */
export function writeScalingReport(folder, results) {
  const files = {
    'scaling.md': pageOf(results),
    'scaling-search.svg': searchPlot(results),
    'scaling-cost.svg': costPlot(results),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

function searchPlot(results) {
  const curves = modes.flatMap((mode) => [
    curve(results, mode, ({ search }) => p95(search.warm[mode])),
    curve(results, `${mode}, while indexing`, ({ search }) => p95(search.busy[mode]), true),
  ]);
  return growthPlot('95th percentile of a search', curves, 'ms');
}

function costPlot(results) {
  const curves = Object.keys(results[0].index.three.processor).map((part) =>
    curve(results, part, ({ rows, index }) => (index.three.processor[part] * thousand) / rows),
  );
  return growthPlot('Processor time per thousand rows of the first sync', curves, 'ms');
}

function curve(results, name, of, isFloor = false) {
  return { name, isFloor, points: results.map((result) => [result.chunks, of(result)]) };
}

/** Returns the cells of each cost per row at each size, the header first. */
function costTable(results) {
  const costs = [
    ...Object.keys(results[0].index.three.processor).map((part) => ({
      name: `processor, ${part}, per thousand rows`,
      of: ({ index }) => index.three.processor[part],
      cell: (value, { rows }) => shown((value * thousand) / rows, 'ms'),
    })),
    {
      name: 'requests to the object store, per thousand rows',
      of: ({ index }) => index.three.traffic.requests,
      cell: (value, { rows }) => ((value * thousand) / rows).toFixed(1),
    },
    {
      name: 'read from the object store, per chunk',
      of: ({ index }) => index.three.traffic.readBytes,
      cell: perChunk,
    },
    {
      name: 'written to the object store, per chunk',
      of: ({ index }) => index.three.traffic.writtenBytes,
      cell: perChunk,
    },
    ...['rows', 'indexes', 'other', 'bytes'].map((part) => ({
      name: `object store, ${part === 'bytes' ? 'total' : part}, per chunk`,
      of: ({ space }) => space.objects[part],
      cell: perChunk,
    })),
    {
      name: 'objects in the store',
      of: ({ space }) => space.objects.count,
      cell: (value) => value.toLocaleString('en'),
    },
    ...largeTables(results).map((table) => ({
      name: `PostgreSQL, \`${table}\`, per chunk`,
      of: ({ space }) => space.tables[table],
      cell: perChunk,
    })),
  ];
  return [
    ['what', ...results.map(({ rows }) => `${shownRows(rows)} rows`), 'total grows as'],
    ...costs.map(({ name, of, cell }) => [
      name,
      ...results.map((result) => cell(of(result), result)),
      `rows^${exponentOf(results.map((result) => [result.rows, of(result)])).toFixed(2)}`,
    ]),
  ];
}

function perChunk(bytes, { chunks }) {
  return `${Math.round(bytes / chunks)} bytes`;
}

function largeTables(results) {
  const { tables } = results.at(-1).space;
  const total = sum(Object.values(tables));
  return Object.keys(tables).filter((name) => tables[name] > minShare * total);
}

/** Returns the cells of the measured times and memory at each size, the header first. */
function sizeTable(results) {
  const line = (name, of) => [name, ...results.map(of)];
  return [
    ['what', ...results.map(({ rows }) => `${shownRows(rows)} rows`)],
    line('chunks', ({ chunks }) => chunks.toLocaleString('en')),
    line('first sync, one worker', ({ index }) => shown(index.one.ms, 'ms')),
    line('rows per second', (result) => rate(result, 'one')),
    line('first sync, three workers', ({ index }) => shown(index.three.ms, 'ms')),
    line('rows per second', (result) => rate(result, 'three')),
    line('processors in use', ({ index }) =>
      (sum(Object.values(index.three.processor)) / index.three.ms).toFixed(2),
    ),
    ...Object.keys(results[0].index.three.memory).map((part) =>
      line(`peak memory, ${part}`, ({ index }) => shown(index.three.memory[part], 'bytes')),
    ),
    ...modes.flatMap((mode) => [
      line(`${mode}, p50 / p95`, ({ search }) => latency(search.warm[mode])),
      line(`${mode}, while indexing`, ({ search }) => latency(search.busy[mode])),
      line(`${mode}, first after a restart`, ({ search }) => latency(search.cold[mode])),
      line(`${mode}, requests to the object store`, ({ search }) =>
        search.traffic[mode].requests.toFixed(1),
      ),
      line(`${mode}, read from the object store`, ({ search }) =>
        kilobytes(search.traffic[mode].bytes),
      ),
    ]),
    line('sync of nothing', ({ sync }) => shown(sync.nothing.ms, 'ms')),
    line('sync of 1 % changed rows', ({ sync }) => shown(sync.changed.ms, 'ms')),
    line('its requests to the object store', ({ sync }) =>
      sync.changed.traffic.requests.toLocaleString('en'),
    ),
    line('its reads from the object store', ({ sync }) =>
      shown(sync.changed.traffic.readBytes, 'bytes'),
    ),
    line('its writes to the object store', ({ sync }) =>
      shown(sync.changed.traffic.writtenBytes, 'bytes'),
    ),
  ];
}

function rate({ rows, index }, name) {
  return Math.round((rows * thousand) / index[name].ms).toLocaleString('en');
}

function kilobytes(bytes) {
  return `${Math.round(bytes / thousand)} kB`;
}

function latency(times) {
  return `${shown(median(times), 'ms')} / ${shown(p95(times), 'ms')}`;
}

function pageOf(results) {
  const [wall] = wallsOf(results);
  const end = shownRows(targetRows);
  return `<!-- Written by \`npm run bench:scaling\`. -->

# A shared deployment at size

Three servers and three workers share PostgreSQL and an object store. The first limit is reached at ${shownRows(wall.rows)} rows: ${wall.name}.
[How far a deployment scales](../explanation/scaling.md) explains the figures and their assumptions.

- Measured on ${new Date().toISOString().slice(0, 10)}: ${machineLine()}. All processes share it.
- The rows are in tables of 10,000 in a second PostgreSQL server. Each has about 40 words.
- PostgreSQL has its default settings. The object store is Ceph's gateway, which keeps objects in memory.

${markdownTable(sizeTable(results))}

## Cost per row

${markdownTable(costTable(results))}

![Processor time per thousand rows](scaling-cost.svg)

![95th percentile of a search](scaling-search.svg)

## Limits, in the order in which they are reached

The exponent compares the two largest sizes. The values at ${end} rows continue this growth.

${markdownTable(growthTable(results))}

## What is measured

- **Processor time and memory** include the process that builds the index. The peaks of several processes of a part are added. Shared memory of PostgreSQL
  counts once.
- **Sizes** are measured a minute after the first sync.
- **Searches** return ten hits from one server. Those after a restart use a new process. Those during indexing go to each server in turn, while a
  source with a tenth of the rows is added.
- **1 % changed** changes every hundredth row of every table.

To repeat the measurement, run \`npm run bench:scaling\`.
`;
}
