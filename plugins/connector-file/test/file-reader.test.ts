import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { FileReader } from '../src/grep/file-reader.js';
import { inFolder } from './folder.js';

const test = suite('file connector, reading for a search');
const mebibyte = 1024 * 1024;

test(
  'reads files of any size into one buffer',
  inFolder(async (folder) => {
    const reader = new FileReader();
    for (const size of [0, 1, 3 * mebibyte, mebibyte - 1, mebibyte, mebibyte + 1, 5]) {
      const bytes = Buffer.from('0123456789'.repeat(size / 10 + 1)).subarray(0, size);
      writeFileSync(folder.at('file'), bytes);
      const isSame = reader.search(folder.at('file'), (read) => read.equals(bytes));
      assert.is(isSame, true, `${size} bytes`);
    }
  }),
);

test(
  'reads no pipe and no folder, and nothing that is missing or too large',
  inFolder(async (folder) => {
    const reader = new FileReader();
    const find = (name: string): unknown => reader.search(folder.at(name), () => 'found');
    folder.pipe('pipe');
    folder.mkdir('folder');
    writeFileSync(folder.at('large'), Buffer.alloc(64 * mebibyte + 1));
    folder.write('small');
    const found = ['pipe', 'folder', 'missing', 'large', 'small'].map(find);
    assert.equal(found, ['unreadable', 'unreadable', 'unreadable', 'large', 'found']);
  }),
);

test.run();
