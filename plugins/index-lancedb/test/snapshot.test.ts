// test-timeout: 120
import { mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, TroveError } from '@trove/core';
import type { Collection, IndexGroup } from '@trove/core/index';
import { dimension, neverAborted, row, spec } from '@trove/test-support/index-rows.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LanceIndex } from '../src/database.js';

const test = suite('snapshots');
const groupCount = 20;
const groupSize = 5;
const { signal } = neverAborted;

async function withIndex(
  folder: string,
  run: (index: LanceIndex, collection: Collection) => Promise<void>,
): Promise<void> {
  const context = { uri: folder, logger: silentLogger, workers: testWorkers };
  const index = await LanceIndex.connect(context);
  try {
    await run(index, await index.collection(spec));
  } finally {
    await index.close();
  }
}

/** All groups, whose rows name a version. */
function groupsOf(version: number): IndexGroup[] {
  const vector = new Float32Array(dimension).fill(1);
  return Array.from({ length: groupCount }, (_, at) => ({
    group: `g${at}`,
    rows: Array.from({ length: groupSize }, (__, ordinal) =>
      row(`g${at}-${ordinal}`, `g${at}`, { ordinal, content: `version ${version}`, vector }),
    ),
  }));
}

/** Returns the contents of all groups. Each group is whole and has one version. */
async function versionsOf(collection: Collection): Promise<Set<string>> {
  const versions = new Set<string>();
  for (let at = 0; at < groupCount; at++) {
    const contents = (await collection.rows(`g${at}`)).map(({ content }) => content);
    assert.is(contents.length, groupSize, `g${at}`);
    assert.is(new Set(contents).size, 1, contents.join());
    versions.add(contents[0] ?? '');
  }
  return versions;
}

const stagingIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('snapshot-'));

test('has one moment while rows are written and the index is optimized', () =>
  withFolder(async (root) => {
    const folder = join(root, 'index');
    const copies: string[] = [];
    await withIndex(folder, async (index, collection) => {
      await collection.replace(groupsOf(0), { signal });
      let isDone = false;
      const writing = (async () => {
        for (let version = 1; !isDone; version++) {
          await collection.replace(groupsOf(version), { signal });
          if (version % 5 === 0) await collection.optimize();
        }
      })();
      for (let at = 0; at < 4; at++) {
        const copy = join(root, `copy-${at}`);
        await index.snapshot(copy, { signal });
        copies.push(copy);
      }
      isDone = true;
      await writing;
      assert.equal(await stagingIn(folder), []);
    });
    for (const copy of copies)
      await withIndex(copy, async (_, collection) => {
        assert.is((await versionsOf(collection)).size, 1);
        await collection.replace(groupsOf(1000), { signal });
        assert.equal(await versionsOf(collection), new Set(['version 1000']));
      });
  }));

test('is of the moment before `onTaken`, and fails with its error', () =>
  withFolder(async (root) => {
    const folder = join(root, 'index');
    await withIndex(folder, async (index, collection) => {
      await collection.replace(groupsOf(1), { signal });
      const onTaken = (): Promise<void> => collection.replace(groupsOf(2), { signal });
      await index.snapshot(join(root, 'copy'), { signal, onTaken });
      const failing = index.snapshot(join(root, 'other'), {
        signal,
        onTaken: () => Promise.reject(new TroveError('timed_out', 'too late')),
      });
      assert.is(await codeOf(failing), 'timed_out');
      assert.equal(await stagingIn(folder), []);
    });
    await withIndex(join(root, 'copy'), async (_, collection) => {
      assert.equal(await versionsOf(collection), new Set(['version 1']));
    });
  }));

test('removes what killed processes left', () =>
  withFolder(async (root) => {
    const folder = join(root, 'index');
    await withIndex(folder, async (index, collection) => {
      await collection.replace(groupsOf(1), { signal });
      const twoDaysAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
      for (const name of ['snapshot-other-1-new', 'snapshot-other-1-old']) {
        await mkdir(join(folder, name));
        if (name.endsWith('old')) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
      }
      await index.snapshot(join(root, 'copy'), { signal });
      assert.equal(await stagingIn(folder), ['snapshot-other-1-new']);
    });
  }));

test.run();
