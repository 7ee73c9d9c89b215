import { availableParallelism, totalmem } from 'node:os';

import { modes } from '../measure/search.mjs';
import { shown } from '../report/table.mjs';
import { median, p95 } from '../statistics.mjs';
import { exponentOf, rowsAt, valueAt } from './growth.mjs';

const mib = 2 ** 20;
const gib = 2 ** 30;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** The extrapolation ends here. */
export const targetRows = 10_000_000;

/** The cache of text and vector indexes of a process, as @trove/index-lancedb sets it on this machine. */
const indexCacheBytes = Math.max(
  384 * mib,
  Math.min(totalmem() / 8, availableParallelism() * 512 * mib),
);

/** Each figure with a limit: `{ name, unit, limit, of }`. `of` returns the value at a measured size. */
const limits = [
  ...modes.map((mode) => ({
    name: `${mode} search, p95`,
    unit: 'ms',
    limit: 300,
    of: ({ search }) => p95(search.warm[mode]),
  })),
  {
    name: 'hybrid search while indexing, p95',
    unit: 'ms',
    limit: 1000,
    of: ({ search }) => p95(search.busy.hybrid),
  },
  {
    name: 'first hybrid search after a restart',
    unit: 'ms',
    limit: 5000,
    of: ({ search }) => median(search.cold.hybrid),
  },
  { name: 'sync of nothing', unit: 'ms', limit: minuteMs, of: ({ sync }) => sync.nothing.ms },
  {
    name: 'sync of 1 % changed rows',
    unit: 'ms',
    limit: 10 * minuteMs,
    of: ({ sync }) => sync.changed.ms,
  },
  {
    name: 'first sync, three workers',
    unit: 'ms',
    limit: 24 * hourMs,
    of: ({ index }) => index.three.ms,
  },
  {
    name: 'memory of a worker while indexing',
    unit: 'bytes',
    limit: 2 * gib,
    of: ({ index }) => index.one.memory.workers,
  },
  {
    name: 'memory of a server while searching',
    unit: 'bytes',
    limit: 2 * gib,
    of: ({ search }) => search.usage.memory.servers / 3,
  },
  {
    name: 'memory of PostgreSQL (metadata)',
    unit: 'bytes',
    limit: 4 * gib,
    of: ({ index }) => index.three.memory['PostgreSQL, metadata'],
  },
  {
    name: 'database',
    unit: 'bytes',
    limit: 100 * gib,
    of: ({ space }) => sum(Object.values(space.tables)),
  },
  {
    name: 'text and vector indexes, in the cache of a server',
    unit: 'bytes',
    limit: indexCacheBytes,
    of: ({ space }) => space.objects.indexes,
  },
  { name: 'index', unit: 'bytes', limit: 100 * gib, of: ({ space }) => space.objects.bytes },
];

/** Returns the limits in the order in which they are reached: each with its points, exponent and rows. */
export function wallsOf(results) {
  return limits
    .map(({ of, ...figure }) => {
      const points = results.map((result) => [result.rows, of(result)]);
      return {
        ...figure,
        points,
        exponent: exponentOf(points),
        expected: valueAt(points, targetRows),
        rows: rowsAt(points, figure.limit),
      };
    })
    .toSorted((one, other) => one.rows - other.rows);
}

/** Returns the cells of each limit, the header first. */
export function growthTable(results) {
  const header = [
    'what',
    ...results.map(({ rows }) => `${shownRows(rows)} rows`),
    'grows as',
    `${shownRows(targetRows)} rows (expected)`,
    'limit',
    'reached at',
  ];
  const lines = wallsOf(results).map(({ name, unit, points, exponent, expected, limit, rows }) => [
    name,
    ...points.map(([, value]) => shown(value, unit)),
    `rows^${exponent.toFixed(2)}`,
    shown(expected, unit),
    shown(limit, unit),
    shownRows(rows),
  ]);
  return [header, ...lines];
}

/** Returns a number of rows with two digits. */
export function shownRows(rows) {
  if (rows > 100 * targetRows) return 'over a billion';
  return Number(rows.toPrecision(2)).toLocaleString('en');
}

export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
