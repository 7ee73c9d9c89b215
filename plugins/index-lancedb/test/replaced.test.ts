import { isTroveError, silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted, spec } from '@trove/test-support/index-rows.js';
import type { LanceCollection } from '../src/collection.js';
import { LanceIndex } from '../src/database.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('a collection that another process drops and makes again');

const common = { terms: ['common'], pairs: [] };
const query = { sparse: common, pairWeight: 0, candidates: 50, signal: neverAborted.signal };

/** Runs with an open collection and a second process that changes it. */
function withKept(
  run: (kept: LanceCollection, other: LanceIndex, folder: string) => Promise<void>,
): Promise<void> {
  return withFolder((folder) =>
    withCollection(folder, async (kept) => {
      await kept.replace([groupOf('before', 20)], neverAborted);
      assert.is((await kept.search(query)).sparse.length, 20);
      const other = await LanceIndex.connect({
        uri: folder,
        logger: silentLogger,
        workers: testWorkers,
      });
      try {
        await run(kept, other, folder);
      } finally {
        await other.close();
      }
    }),
  );
}

async function madeAgain(other: LanceIndex): Promise<LanceCollection> {
  await other.drop(spec.name);
  return other.collection(spec);
}

for (const [when, commits] of Object.entries({ 'at once': 0, 'as many versions later': 1 })) {
  test(`stays readable and writable through an open collection ${when}`, () =>
    withKept(async (kept, other, folder) => {
      const made = await madeAgain(other);
      for (let at = 0; at < commits; at++) await made.replace([groupOf('now', 3)], neverAborted);
      assert.is((await kept.search(query)).sparse.length, 3 * commits);
      await kept.replace([groupOf('kept', 2)], neverAborted);
      await made.replace([groupOf('now', 4)], neverAborted);
      await kept.removeScope('another');
      for (const collection of [kept, made]) {
        assert.is(await collection.count(), 6);
        assert.is((await collection.search(query)).sparse.length, 6);
      }
      await withCollection(folder, async (opened) => {
        assert.is((await opened.search(query)).sparse.length, 6);
      });
    }));
}

test('accepts no rows of the former embedding after a replacement', () =>
  withKept(async (kept, other) => {
    await other.drop(spec.name);
    const made = await other.collection({ ...spec, embedding: 'test/other' });
    const refused: unknown = await kept.replace([groupOf('kept', 2)], neverAborted).catch((e) => e);
    assert.is(isTroveError(refused) && refused.code, 'index_mismatch');
    assert.is(await made.count(), 0);
  }));

test.run();
