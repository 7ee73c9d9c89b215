import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from '@lancedb/lancedb';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupOf, neverAborted } from '@trove/test-support/index-rows.js';
import { rejection } from '@trove/test-support/rejection.js';
import { testUnless } from '@trove/test-support/skips.js';
import {
  translateErrors,
  isConflict,
  isDuplicate,
  isTableMissing,
  tableExists,
} from '../src/failures.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

/* LanceDB's errors have neither codes nor classes. These tests fail if its messages change. */

const test = suite('error messages of LanceDB');

test('recognises an existing table', () =>
  withFolder(async (folder) => {
    const connection = await connect(folder);
    await connection.createTable('a', [{ x: 1 }]);
    const error = await thrown(() => connection.createTable('a', [{ x: 1 }]));
    assert.ok(tableExists(error), error.message);
    assert.not.ok(isTableMissing(error));
    connection.close();
  }));

test('recognises a missing table', () =>
  withFolder(async (folder) => {
    const connection = await connect(folder);
    const error = await thrown(() => connection.openTable('a'));
    assert.ok(isTableMissing(error), error.message);
    assert.not.ok(tableExists(error));
    connection.close();
  }));

test('recognises a merge with a duplicate key', () =>
  withFolder(async (folder) => {
    const connection = await connect(folder);
    const table = await connection.createTable('a', [
      { x: 1, y: 1 },
      { x: 1, y: 2 },
    ]);
    const merge = table.mergeInsert('x').whenMatchedUpdateAll().whenNotMatchedInsertAll();
    const doubled = [
      { x: 1, y: 3 },
      { x: 1, y: 4 },
    ];
    const error = await thrown(() => merge.execute(doubled));
    assert.ok(isDuplicate(error), error.message);
    connection.close();
  }));

test('recognises a commit conflict', () =>
  withFolder(async (folder) => {
    const connection = await connect(folder);
    const table = await connection.createTable('a', [{ x: 1 }]);
    const other = await connection.openTable('a');
    // Lance does not retry conflicting changes of columns.
    const outcomes = await Promise.allSettled(
      [table, other].map((each, at) => each.addColumns([{ name: `y${at}`, valueSql: '1' }])),
    );
    const errors = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    assert.ok(errors.length > 0, 'no commit was refused');
    for (const error of errors) assert.ok(isConflict(error), String(error));
    connection.close();
  }));

function mount(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

let canMount = false;
await withFolder(async (folder) => {
  canMount = mount(folder);
  if (canMount) execFileSync('umount', [folder]);
});

testUnless(canMount ? null : 'no small file system can be mounted here', test)('a full disk', () =>
  withFolder(async (folder) => {
    const disk = join(folder, 'disk');
    await mkdir(disk);
    mount(disk);
    try {
      await withCollection(disk, async (collection) => {
        const error = await rejection(async () => {
          for (let n = 0; n < 100; n++)
            await collection.replace([groupOf(`g${n}`, 500)], neverAborted);
        });
        assert.is(error.code, 'disk_full');
      });
    } finally {
      execFileSync('umount', ['--lazy', disk]);
    }
  }),
);

test('converts an unknown error to storage_unavailable', async () => {
  const error = await rejection(() =>
    translateErrors('be read', () => Promise.reject(new Error('out of patience'))),
  );
  assert.is(error.code, 'storage_unavailable');
});

async function thrown(action: () => Promise<unknown>): Promise<Error> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('There was no error');
}

test.run();
