import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Connector } from '@trove/core';
import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import {
  ByteBudget,
  createScanConnector,
  type ScannedTable,
  type TableScan,
} from '../src/sql/index.js';

const test = suite('tables that are scanned');
const neverAborted = new AbortController().signal;

interface NumberTable extends ScannedTable {
  readonly rows: readonly (readonly unknown[])[];
}

function tableOf(names: readonly string[], own: Partial<NumberTable> = {}): NumberTable {
  return {
    names,
    columns: ['n'],
    key: null,
    bytes: 10,
    skip: null,
    rows: [[1], [2], [1]],
    description: { keyFields: ['row'], schema: { columns: ['n'] }, fingerprint: '1' },
    ...own,
  };
}

/** A table with two partitions, and a table whose scans are billed. */
const tables: readonly NumberTable[] = [
  tableOf(['parted'], { holds: 'schema' }),
  tableOf(['parted', '2025'], { holds: 'records', key: ['n'], rows: [[7]] }),
  tableOf(['parted', '2026'], { holds: 'records' }),
  tableOf(['billed'], { bytes: 60 }),
];

/** Opens a connector that may read 100 bytes in one sync. `scans` gets the requests for rows. */
function open(scans: TableScan[] = []): Connector {
  return createScanConnector<NumberTable>({
    levels: 1,
    budget: new ByteBudget(100, 'numbers'),
    tables: () => Promise.resolve(tables),
    table: (names) =>
      Promise.resolve(tables.find((each) => each.names.join() === names.join()) ?? null),
    scan: async function* ({ rows }, scan) {
      scans.push(scan);
      yield* rows.slice(scan.offset, scan.offset + scan.limit);
    },
    isBilled: ({ names }) => names[0] === 'billed',
    check: () => Promise.resolve({ ok: true, detail: '' }),
    close: () => undefined,
  });
}

async function pathsOf(connector: Connector): Promise<string[]> {
  const entries = await collect(connector.list({ signal: neverAborted }));
  return entries.map(({ path }) => path);
}

async function keysAt(
  connector: Connector,
  path: string,
  range: { readonly offset?: number; readonly limit?: number } = {},
): Promise<string[]> {
  const records = await collect(connector.records?.(path, { signal: neverAborted, ...range }));
  return records.map(({ key }) => Object.values(key).join());
}

function grep(connector: Connector, pattern: string): Promise<readonly object[]> {
  const request = {
    pattern,
    regex: false,
    ignoreCase: false,
    context: 0,
    path: '',
    globs: [],
    excludedMediaTypes: [],
    onlyMatching: false,
    limit: 100,
    limitPerObject: 100,
    after: null,
    signal: neverAborted,
  };
  return collect(connector.grep?.(request));
}

test('have one schema and the records of each partition', async () => {
  const connector = open();
  assert.equal(await pathsOf(connector), [
    'parted/schema.json',
    'parted/2025/rows.jsonl',
    'parted/2026/rows.jsonl',
    'billed/rows.jsonl',
    'billed/schema.json',
  ]);
  const stat = (path: string) => connector.stat?.(path, { signal: neverAborted });
  assert.is((await stat('parted/2025/rows.jsonl'))?.path, 'parted/2025/rows.jsonl');
  assert.is(await stat('parted/rows.jsonl'), null);
  assert.is(await stat('parted/2025/schema.json'), null);
});

test('number equal rows, also in a range', async () => {
  const connector = open();
  const [first, second, third] = await keysAt(connector, 'parted/2026/rows.jsonl');
  assert.is(third, `${first}-2`);
  assert.is.not(second, first);
  const range = { offset: 1, limit: 2 };
  assert.equal(await keysAt(connector, 'parted/2026/rows.jsonl', range), [second, third]);
});

test('share a number of bytes in one sync', async () => {
  const connector = open();
  await pathsOf(connector);
  await keysAt(connector, 'billed/rows.jsonl');
  await keysAt(connector, 'parted/2026/rows.jsonl');
  const error = await rejection(() => keysAt(connector, 'billed/rows.jsonl'));
  assert.is(error.pluginCode, 'numbers.byte_limit');
  assert.match(error.message, 'takes 60 bytes, and this sync may read only 30 bytes more');
  await pathsOf(connector);
  assert.is((await keysAt(connector, 'billed/rows.jsonl')).length, 3);
});

test('are searched while billed scans stay within the limit', async () => {
  const connector = open();
  const paths = (items: readonly object[]): readonly unknown[] =>
    items.map((item) => ('path' in item ? item.path : Object.values(item)[0]));
  assert.equal(paths(await grep(connector, '2')), ['parted/2026/rows.jsonl', 'billed/rows.jsonl']);
  const [, notice] = paths(await grep(connector, '2'));
  assert.is(
    notice,
    'billed/rows.jsonl: the search did not cover its rows, which take 60 bytes: `max_bytes` leaves 40 bytes until the next sync.',
  );
});

test.run();
