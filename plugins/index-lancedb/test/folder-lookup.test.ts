import type { Table } from '@lancedb/lancedb';
import type { IndexRow } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neverAborted, row } from '@trove/test-support/index-rows.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import type { LanceCollection } from '../src/collection.js';
import { FolderLookup } from '../src/folder-lookup.js';
import { TableVersions } from '../src/table-versions.js';
import { withCollection, withTable } from './world.js';

const test = suite('folder lookup');

const uris = ['a', 'b', 'c', 'd', 'e'].map((name) => `file://local/${name}`);

function rowAt(path: string): IndexRow {
  return row(`row ${path}`, path, { source: `file://local/${path}` });
}

async function put(collection: LanceCollection, ...paths: readonly string[]): Promise<void> {
  const groups = paths.map((path) => ({ group: path, rows: [rowAt(path)] }));
  await collection.replace(groups, neverAborted);
}

interface Opened {
  readonly collection: LanceCollection;
  readonly table: Table;
  /** The local folder of the table. */
  readonly folder: string;
}

function withRows(run: (opened: Opened) => Promise<void>): Promise<void> {
  return withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await put(collection, 'a', 'b', 'b/1', 'b beside', 'c/1/2', 'd0', 'elsewhere/1');
      await withTable(folder, (table) =>
        run({ collection, table, folder: `${folder}/default.lance` }),
      );
    }),
  );
}

function lookupIn(folder: string | null): FolderLookup {
  return new FolderLookup(new TableVersions(folder));
}

/** Returns the table with another implementation of `query`. */
function withQuery(table: Table, query: () => ReturnType<Table['query']>): Table {
  return new Proxy(table, {
    get: (target, name) => {
      if (name === 'query') return query;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

test('returns the URIs with rows below them, with one query per version', () =>
  withRows(async ({ table, folder }) => {
    let queries = 0;
    const counted = withQuery(table, () => {
      queries++;
      return table.query();
    });
    const lookup = lookupIn(folder);
    const look = (): Promise<readonly string[]> => lookup.among(counted, uris);
    assert.equal(await look(), uris.slice(1, 3));
    assert.equal(await Promise.all([look(), look()]), [uris.slice(1, 3), uris.slice(1, 3)]);
    assert.is(queries, 1);
  }));

test('finds small folders beside large ones', () =>
  withRows(async ({ collection, table, folder }) => {
    await put(collection, ...Array.from({ length: 450 }, (_, at) => `b/${at}`));
    await table.checkoutLatest();
    assert.equal(await lookupIn(folder).among(table, uris), uris.slice(1, 3));
  }));

test('looks again when the table has changed', () =>
  withRows(async ({ collection, table, folder }) => {
    const lookup = lookupIn(folder);
    await lookup.among(table, uris);
    await put(collection, 'a/1', 'd/1');
    await table.checkoutLatest();
    assert.equal(await lookup.among(table, uris), uris.slice(0, 4));
  }));

test('counts all URIs as folders if there are few of them, or no local folder', () =>
  withRows(async ({ table, folder }) => {
    const few = uris.slice(0, 3);
    assert.equal(await lookupIn(folder).among(table, few), few);
    assert.equal(await lookupIn(null).among(table, uris), uris);
  }));

test('repeats a failed lookup', () =>
  withRows(async ({ table, folder }) => {
    const lookup = lookupIn(folder);
    const failing = withQuery(table, () => {
      throw new Error('unreadable');
    });
    assert.is(await codeOf(lookup.among(failing, uris)), 'Error: unreadable');
    assert.is((await lookup.among(table, uris)).length, 2);
  }));

test('lets searches find rows below an object as soon as they exist', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await put(collection, 'a', 'b', 'b beside', 'c/1');
      const found = async (): Promise<number> => {
        const query = { sparse: { terms: ['common'], pairs: [] }, pairWeight: 0, candidates: 50 };
        const { sparse } = await collection.search({ ...query, within: uris, ...neverAborted });
        return sparse.length;
      };
      assert.is(await found(), 3);
      await put(collection, 'b/1', 'd/1/2');
      assert.is(await found(), 5);
      const counts = await collection.frequencies(['common'], { within: uris, maxCount: 9 });
      assert.is(counts.get('common'), 5);
      await collection.replace([{ group: 'b/1', rows: [] }], neverAborted);
      assert.is(await found(), 4);
    }),
  ));

test.run();
