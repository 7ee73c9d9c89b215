import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { writeTree } from '../src/bench/tree/tree.mjs';

const fileCount = 150;
const tree = suite('the generated tree');
let work = '';

tree.before(() => {
  work = mkdtempSync(join(tmpdir(), 'trove-bench-tree-'));
});
tree.after(() => rmSync(work, { recursive: true, force: true }));

function written(name, seed) {
  const folder = join(work, name);
  const facts = writeTree(folder, { files: fileCount, seed });
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path.slice(folder.length)).update(readFileSync(path));
  return { ...facts, paths, hash: hash.digest('hex') };
}

tree('depends only on the seed', () => {
  const first = written('first', 1);
  assert.is(written('again', 1).hash, first.hash);
  assert.is.not(written('other', 2).hash, first.hash);
});

tree('has the requested number of files of every kind, 11 KB on average', () => {
  const { files, bytes, paths } = written('sizes', 1);
  assert.equal([files, paths.length], [fileCount, fileCount]);
  assert.ok(
    bytes / fileCount > 8000 && bytes / fileCount < 15_000,
    `${bytes / fileCount} bytes each`,
  );
  for (const extension of ['md', 'txt', 'ts', 'py']) {
    assert.ok(
      paths.some((path) => path.endsWith(`.${extension}`)),
      extension,
    );
  }
});

tree('has words as frequent and as long as in prose', () => {
  const { paths } = written('words', 1);
  const prose = paths.filter((path) => path.endsWith('.txt'));
  const words = prose.flatMap((path) => readFileSync(path, 'utf8').match(/[a-z]+/gi) ?? []);
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const sorted = [...counts.values()].sort((a, b) => b - a);
  assert.ok(sorted[0] / words.length > 0.03, 'the most frequent word');
  assert.ok(
    sorted.filter((count) => count === 1).length / sorted.length > 0.2,
    'words that occur once',
  );
  const length = words.reduce((sum, word) => sum + word.length, 0) / words.length;
  assert.ok(length > 4 && length < 6.5, `${length} letters`);
});

tree.run();
