import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neverAborted, row } from '@trove/test-support/index-rows.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { withCollection } from './world.js';

const test = suite('location');
const hasModes = process.platform !== 'win32';

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test('creates folders for the user alone under any umask', () =>
  withFolder(async (folder) => {
    const parent = join(folder, 'new');
    const index = join(parent, 'index.lance');
    const umask = process.umask(0);
    try {
      await withCollection(index, (collection) =>
        collection.replace([{ group: 'g', rows: [row('a', 'g')] }], neverAborted),
      );
    } finally {
      process.umask(umask);
    }
    if (!hasModes) return;
    assert.equal([await modeOf(parent), await modeOf(index)], [0o700, 0o700]);
  }));

test('keeps the mode of an existing folder', () =>
  withFolder(async (folder) => {
    const index = join(folder, 'index.lance');
    await mkdir(index, { mode: 0o750 });
    const before = await modeOf(index);
    await withCollection(index, async () => undefined);
    assert.is(await modeOf(index), before);
  }));

test.run();
