import { cp, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { silentLogger } from '@trove/core';
import { testWorkers, pluginContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import plugin from '../src/index.js';
import type { LanceCollection } from '../src/collection.js';
import { LanceIndex } from '../src/database.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { rejection } from '@trove/test-support/rejection.js';
import { withCollection } from './world.js';

const test = suite('failures');

const open = (folder: string): Promise<LanceIndex> =>
  LanceIndex.connect({ uri: folder, logger: silentLogger, workers: testWorkers });

test('names a folder that cannot be created', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'file', 'index');
    await writeFile(join(folder, 'file'), '');
    const error = await rejection(() => open(path));
    assert.is(error.code, 'storage_unavailable');
    assert.is(error.detail, `The index folder ${path} cannot be created`);
    assert.match(error.suggestions.join(), 'writable');
  }));

/** Ways in which a table may lose files: the remaining files, by part. */
const losses = {
  'data is gone': (table: string) => rm(join(table, 'data'), { recursive: true }),
  'data is cut short': (table: string) => cutShort(join(table, 'data')),
  'its versions are gone': (table: string) => rm(join(table, '_versions'), { recursive: true }),
  'its versions are cut short': (table: string) => cutShort(join(table, '_versions')),
  'its indices are gone': (table: string) => rm(join(table, '_indices'), { recursive: true }),
  'its indices are cut short': (table: string) => cutShort(join(table, '_indices')),
  'all of it is gone': (table: string) => rm(table, { recursive: true }),
};

async function cutShort(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  for (const entry of entries)
    if (entry.isFile()) await truncate(join(entry.parentPath, entry.name), 10);
}

/** Writes three rows and removes files of the table. */
async function withLoss(
  folder: string,
  lose: (table: string) => Promise<void>,
  collection: LanceCollection,
): Promise<void> {
  await collection.replace([groupOf('g', 3)], neverAborted);
  await lose(join(folder, 'default.lance'));
}

async function assertUsable(collection: LanceCollection): Promise<void> {
  await collection.replace([groupOf('h', 2)], neverAborted);
  assert.is(await collection.count(), 2);
  assert.is((await collection.rows('h')).length, 2);
  await collection.optimize();
}

test('waits for a table that another process is still creating', () =>
  withFolder((source) =>
    withFolder(async (folder) => {
      await withCollection(source, (collection) =>
        collection.replace([groupOf('g', 3)], neverAborted),
      );
      const [from, to] = [source, folder].map((each) => join(each, 'default.lance'));
      assert.ok(from !== undefined && to !== undefined);
      await rename(join(from, '_versions'), join(source, 'versions'));
      await cp(from, to, { recursive: true });
      const index = await open(folder);
      const opening = index.collection(spec);
      await Promise.race([opening, delay(200)]);
      await rename(join(source, 'versions'), join(to, '_versions'));
      assert.is(await (await opening).count(), 3);
      assert.equal(await readdir(folder), ['default.lance']);
      await index.close();
    }),
  ));

for (const [loss, lose] of Object.entries(losses)) {
  test(`restarts a table from empty when ${loss} at opening`, () =>
    withFolder(async (folder) => {
      await withCollection(folder, (collection) => withLoss(folder, lose, collection));
      await withCollection(folder, async (collection) => {
        await collection.rows('g').catch(() => undefined);
        assert.is(await collection.count(), 0);
        await assertUsable(collection);
      });
    }));
}

test('reports files lost while the table is open and starts from empty', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await withLoss(folder, losses['its versions are gone'], collection);
      const errors = await Promise.all([1, 2].map(() => rejection(() => collection.rows('g'))));
      for (const error of errors) {
        assert.is(error.code, 'storage_unavailable');
        assert.ok(error.retryable);
        assert.match(error.detail, 'starts empty');
      }
      await assertUsable(collection);
      const aside = (await readdir(folder)).filter((name) => name.startsWith('damaged-'));
      assert.is(aside.length, 1);
    }),
  ));

test('recreates a table that was removed while open', () =>
  withFolder(async (folder) => {
    const index = await open(folder);
    const collection = await index.collection(spec);
    await withLoss(folder, losses['all of it is gone'], collection);
    assert.is((await rejection(() => collection.rows('g'))).code, 'storage_unavailable');
    assert.is(await index.collection(spec), collection);
    await assertUsable(collection);
    await index.close();
  }));

test('does not take a failed query for damage', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      await collection.replace([groupOf('g', 3)], neverAborted);
      assert.equal(await collection.rows('no such file: default.lance/data'), []);
      assert.is(await collection.count({ scope: 'x.lance/not found' }), 0);
      assert.is(await collection.count(), 3);
    }),
  ));

test('quarantines a table that a power cut left empty and starts again', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 3)], neverAborted),
    );
    const versions = join(folder, 'default.lance', '_versions');
    const manifests = (await readdir(versions)).filter((name) => name.endsWith('.manifest'));
    for (const name of manifests) await truncate(join(versions, name), 0);
    await withCollection(folder, async (collection) => {
      assert.is(await collection.count(), 0);
      await assertUsable(collection);
    });
    const names = await readdir(folder);
    assert.equal(
      names.filter((name) => !name.startsWith('damaged-')),
      ['default.lance'],
    );
    assert.is(names.length, 2);
  }));

test('loses only the last versions that a power cut left empty', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 3)], neverAborted),
    );
    const versions = join(folder, 'default.lance', '_versions');
    const manifests = async (): Promise<string[]> =>
      (await readdir(versions)).filter((name) => name.endsWith('.manifest'));
    const before = new Set(await manifests());
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('h', 2)], neverAborted),
    );
    const last = (await manifests()).filter((name) => !before.has(name));
    assert.ok(last.length > 0);
    for (const name of last) await truncate(join(versions, name), 0);
    await withCollection(folder, async (collection) => {
      assert.is(await collection.count(), 3);
      await collection.replace([groupOf('h', 2)], neverAborted);
      assert.is(await collection.count(), 5);
    });
    const aside = (await readdir(folder)).filter((name) => name.startsWith('damaged-'));
    assert.is(aside.length, 1);
    assert.equal((await readdir(join(folder, aside[0] ?? ''))).sort(), last.sort());
  }));

test('a folder that was removed starts empty again', () =>
  withFolder(async (folder) => {
    await withCollection(folder, (collection) =>
      collection.replace([groupOf('g', 3)], neverAborted),
    );
    await rm(folder, { recursive: true });
    await withCollection(folder, async (collection) => assert.is(await collection.count(), 0));
  }));

test('reports a table of another layout as a mismatch', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async () => {});
    const index = await open(folder);
    const error = await rejection(() => index.collection({ ...spec, embedding: 'other/16' }));
    await index.close();
    assert.is(error.code, 'index_mismatch');
    assert.match(error.detail, 'test/8');
    assert.match(error.detail, 'other/16');
  }));

test('rejects vectors of another dimension without writing', () =>
  withFolder((folder) =>
    withCollection(folder, async (collection) => {
      const rows = [row('a', 'g'), row('b', 'g', { vector: new Float32Array(3) })];
      const error = await rejection(() => collection.replace([{ group: 'g', rows }], neverAborted));
      assert.is(error.code, 'index_mismatch');
      assert.is(await collection.count(), 0);
    }),
  ));

test('rejects a name that LanceDB does not accept', () =>
  withFolder(async (folder) => {
    const index = await open(folder);
    for (const name of ['../x', 'a b', '', 'x'.repeat(201), 'trove.store.x']) {
      const error = await rejection(() => index.collection({ ...spec, name }));
      assert.is(error.code, 'validation_error');
    }
    await index.close();
  }));

test('retries a failed opening', () =>
  withFolder(async (folder) => {
    await withCollection(folder, async () => {});
    const index = await open(folder);
    await rejection(() => index.collection({ ...spec, embedding: 'other' }));
    await index.collection(spec);
    await index.close();
  }));

test('reports an invalid graph or namespace name as a collection name', () =>
  withFolder(async (folder) => {
    const index = await open(folder);
    const name = 'trove_store_probe_1_x_passages';
    await index.collection({ ...spec, name });
    assert.equal(await index.collections(), [name]);
    await index.close();
  }));

test('requires a token for LanceDB Cloud', async () => {
  const error = await rejection(() => open('db://example'));
  assert.is(error.code, 'config_invalid');
  assert.match(error.suggestions.join(), '[index].token');
});

test('accepts a file URL', () =>
  withFolder(async (folder) => {
    const index = await plugin.create({
      uri: pathToFileURL(join(folder, 'with space')).href,
      ...pluginContext({ config: {} }),
    });
    await index.collection(spec);
    await index.close();
    assert.equal(await readdir(join(folder, 'with space')), ['default.lance']);
  }));

test.run();
