import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '@trove/test-support/with-folder.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { folderSize } from '../src/folder-size.js';

const test = suite('size of a folder');

const fileCount = 500;
const fileBytes = 10;

test('counts all files of large folders', () =>
  withFolder(async (folder) => {
    for (const name of ['one', 'two']) {
      mkdirSync(join(folder, name));
      for (let file = 0; file < fileCount; file++)
        writeFileSync(join(folder, name, String(file)), 'x'.repeat(fileBytes));
    }
    assert.is(await folderSize(folder), 2 * fileCount * fileBytes);
  }));

test.run();
