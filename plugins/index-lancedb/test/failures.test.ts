import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isTroveError, silentLogger, type TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import plugin from '../src/index.js';
import { LanceIndex } from '../src/database.js';
import { groupOf, live, row, spec } from '../../../scripts/test-support/index-rows.js';
import { inFolder, withCollection } from './world.js';

const test = suite('failures');

async function errorOf(action: () => Promise<unknown>): Promise<TroveError> {
  try {
    await action();
  } catch (error) {
    if (isTroveError(error)) return error;
    throw error;
  }
  throw new Error('There was no error');
}

const open = (folder: string): Promise<LanceIndex> =>
  LanceIndex.connect(folder, undefined, silentLogger);

test('a folder that cannot be made is named', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'file', 'index');
    await writeFile(join(folder, 'file'), '');
    const error = await errorOf(() => open(path));
    assert.is(error.code, 'storage_unavailable');
    assert.is(error.detail, `The index folder ${path} cannot be made`);
    assert.match(error.suggestions.join(), 'writable');
  }));

test('truncated files are damage, with the way out', () =>
  inFolder(async (folder) => {
    await withCollection(folder, (collection) => collection.replace([groupOf('g', 3)], live));
    const data = join(folder, 'default.lance', 'data');
    for (const file of await readdir(data)) await truncate(join(data, file), 10);
    await withCollection(folder, async (collection) => {
      const error = await errorOf(() => collection.rows('g'));
      assert.is(error.code, 'storage_unavailable');
      assert.match(error.detail, 'damaged');
      assert.match(error.suggestions.join(), 'add the sources again');
    });
  }));

test('a table without its versions is damage', () =>
  inFolder(async (folder) => {
    await withCollection(folder, (collection) => collection.replace([groupOf('g', 3)], live));
    await rm(join(folder, 'default.lance', '_versions'), { recursive: true });
    const error = await errorOf(() => withCollection(folder, async () => {}));
    assert.is(error.code, 'storage_unavailable');
    assert.match(error.detail, 'damaged');
  }));

test('what a power cut has left empty is set aside, and begun anew', () =>
  inFolder(async (folder) => {
    await withCollection(folder, (collection) => collection.replace([groupOf('g', 3)], live));
    const versions = join(folder, 'default.lance', '_versions');
    const manifests = (await readdir(versions)).filter((name) => name.endsWith('.manifest'));
    // Only cut short, it is another damage, of which nothing is known.
    for (const size of [10, 0]) {
      for (const name of manifests) await truncate(join(versions, name), size);
      const opened = withCollection(folder, async (collection) => {
        assert.is(await collection.count(), 0);
        await collection.replace([groupOf('g', 2)], live);
        assert.is(await collection.count(), 2);
      });
      if (size === 0) await opened;
      else assert.is((await errorOf(() => opened)).code, 'storage_unavailable');
    }
    const names = await readdir(folder);
    assert.equal(
      names.filter((name) => !name.startsWith('damaged-')),
      ['default.lance'],
    );
    assert.is(names.length, 2);
  }));

test('of what a power cut has left empty only the last versions are lost', () =>
  inFolder(async (folder) => {
    await withCollection(folder, (collection) => collection.replace([groupOf('g', 3)], live));
    const versions = join(folder, 'default.lance', '_versions');
    const manifests = async (): Promise<string[]> =>
      (await readdir(versions)).filter((name) => name.endsWith('.manifest'));
    const before = new Set(await manifests());
    await withCollection(folder, (collection) => collection.replace([groupOf('h', 2)], live));
    const last = (await manifests()).filter((name) => !before.has(name));
    assert.ok(last.length > 0);
    for (const name of last) await truncate(join(versions, name), 0);
    await withCollection(folder, async (collection) => {
      assert.is(await collection.count(), 3);
      await collection.replace([groupOf('h', 2)], live);
      assert.is(await collection.count(), 5);
    });
    const aside = (await readdir(folder)).filter((name) => name.startsWith('damaged-'));
    assert.is(aside.length, 1);
    assert.equal((await readdir(join(folder, aside[0] ?? ''))).sort(), last.sort());
  }));

test('a folder that was removed starts empty again', () =>
  inFolder(async (folder) => {
    await withCollection(folder, (collection) => collection.replace([groupOf('g', 3)], live));
    await rm(folder, { recursive: true });
    await withCollection(folder, async (collection) => assert.is(await collection.count(), 0));
  }));

test('a table of another layout is a mismatch that names what it holds', () =>
  inFolder(async (folder) => {
    await withCollection(folder, async () => {});
    const index = await open(folder);
    const error = await errorOf(() => index.collection({ ...spec, embedding: 'other/16' }));
    await index.close();
    assert.is(error.code, 'index_mismatch');
    assert.match(error.detail, 'test/8');
    assert.match(error.detail, 'other/16');
  }));

test('vectors of another dimension are refused, and nothing is written', () =>
  inFolder((folder) =>
    withCollection(folder, async (collection) => {
      const rows = [row('a', 'g'), row('b', 'g', { vector: new Float32Array(3) })];
      const error = await errorOf(() => collection.replace([{ group: 'g', rows }], live));
      assert.is(error.code, 'index_mismatch');
      assert.is(await collection.count(), 0);
    }),
  ));

test('a name that LanceDB does not take is refused', () =>
  inFolder(async (folder) => {
    const index = await open(folder);
    for (const name of ['../x', 'a b', '', 'x'.repeat(201), 'trove.store.x']) {
      const error = await errorOf(() => index.collection({ ...spec, name }));
      assert.is(error.code, 'validation_error');
    }
    await index.close();
  }));

test('a failed opening is tried again', () =>
  inFolder(async (folder) => {
    await withCollection(folder, async () => {});
    const index = await open(folder);
    await errorOf(() => index.collection({ ...spec, embedding: 'other' }));
    await index.collection(spec);
    await index.close();
  }));

test('what a graph or a namespace may be called is shown as a collection', () =>
  inFolder(async (folder) => {
    const index = await open(folder);
    const name = 'trove_store_probe_1_x_passages';
    await index.collection({ ...spec, name });
    assert.equal(await index.collections(), [name]);
    await index.close();
  }));

test('LanceDB Cloud needs a token', async () => {
  const error = await errorOf(() => open('db://example'));
  assert.is(error.code, 'config_invalid');
  assert.match(error.suggestions.join(), '[index].token');
});

test('the plugin takes a file URL', () =>
  inFolder(async (folder) => {
    const index = await plugin.create({
      uri: pathToFileURL(join(folder, 'with space')).href,
      config: {},
      logger: silentLogger,
      signal: live.signal,
      http: globalThis.fetch,
      error: () => {
        throw new Error('unused');
      },
    });
    await index.collection(spec);
    await index.close();
    assert.equal(await readdir(join(folder, 'with space')), ['default.lance']);
  }));

test.run();
