import { symlinkSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { openRoot } from '../src/source/root.js';
import { claimParts, endClaims, shareParts } from '../src/grep/part-claims.js';
import { divideWalk } from '../src/walk/divide.js';
import { Walk, type WalkItem, type WalkPart } from '../src/walk/walk.js';
import { inFolder, type Folder } from './folder.js';

const test = suite('file connector, parts of a walk');

function walkIn(folder: Folder, path = '', ignore: readonly string[] = []): Walk {
  const { path: root } = folder;
  const denied = { deniedRoots: [], allowedRoots: [] };
  const source = { root, name: root, isUpload: false, ...denied };
  return new Walk(openRoot(source), { ignore, paths: [path] });
}

function pathsOf(items: Iterable<WalkItem>): string[] {
  return Array.from(items, ({ path }) => path);
}

/** Runs each part in its own walk, as threads do. */
function dividedPaths(folder: Folder, parts: readonly WalkPart[], ignore: string[] = []): string[] {
  return parts.flatMap((part) => pathsOf(walkIn(folder, '', ignore).part(part)));
}

function writeFolders(folder: Folder): void {
  for (let at = 0; at < 30; at++) {
    folder.write(`${at}/file.md`);
    folder.write(`${at}/deep/er/file.md`);
    folder.write(`top-${at}.md`);
  }
  folder.write('.gitignore', '*.log\n');
  folder.write('7/deep/.gitignore', 'er\n');
  for (const path of ['29/deep/er/a.log', '29/deep/er/a.tmp', 'b.log']) folder.write(path);
  folder.write('8/deep/node_modules/a.md');
  symlinkSync('file.md', folder.at('9/link'));
}

test(
  'visits the same files in the same order as an undivided walk',
  inFolder(async (folder) => {
    writeFolders(folder);
    const ignore = ['/3/', '*.tmp'];
    const all = pathsOf(walkIn(folder, '', ignore));
    const parts = divideWalk(walkIn(folder, '', ignore));
    assert.ok(parts.length > 20, `${parts.length} parts`);
    assert.equal(dividedPaths(folder, parts, ignore), all);
    assert.ok(!all.some((path) => /^3\/|^7\/deep\/er|\.(?:log|tmp)$/.test(path)));
  }),
);

test(
  'divides only the requested folder, and not a single file',
  inFolder(async (folder) => {
    writeFolders(folder);
    const all = pathsOf(walkIn(folder, '7'));
    assert.equal(all, ['7/file.md', '7/deep/.gitignore']);
    assert.equal(dividedPaths(folder, divideWalk(walkIn(folder, '7'))), all);
    assert.equal(divideWalk(walkIn(folder, '7/file.md')), []);
    assert.equal(divideWalk(walkIn(folder, '8/deep/node_modules')), []);
  }),
);

test(
  'divides folders whose paths are too long to examine',
  inFolder(async (folder) => {
    const name = 'x'.repeat(100);
    folder.nest(name, 60);
    try {
      assert.equal(dividedPaths(folder, divideWalk(walkIn(folder))), pathsOf(walkIn(folder)));
    } finally {
      folder.removeDeep(name);
    }
  }),
);

test(
  'divides the names of a large folder',
  inFolder(async (folder) => {
    for (let at = 0; at < 9000; at++) folder.write(`large/${at}.md`, '');
    const parts = divideWalk(walkIn(folder));
    assert.is(parts.length, 3);
    assert.equal(dividedPaths(folder, parts), pathsOf(walkIn(folder)));
    const [first, second] = parts.map((part) => pathsOf(walkIn(folder).part(part)).length);
    assert.equal([first, second], [3000, 3000]);
    const one = walkIn(folder);
    assert.equal(
      parts.flatMap((part) => pathsOf(one.part(part))),
      pathsOf(walkIn(folder)),
    );
  }),
);

const parts = ['a', 'b', 'c'].map((path): WalkPart => ({ path, isDeep: true }));

test('gives each part to one owner, and again to an owner that repeats its task', () => {
  const shared = shareParts(parts);
  const [one, other] = [claimParts(shared, 1), claimParts(shared, 2)];
  assert.equal([one.next().value?.path, other.next().value?.path], ['a', 'b']);
  assert.equal(
    [...claimParts(shared, 1)].map(({ path }) => path),
    ['a', 'c'],
  );
  assert.equal([...other], []);
});

test('gives no further parts after the end of the claims', () => {
  const shared = shareParts(parts);
  const one = claimParts(shared, 1);
  one.next();
  endClaims(shared);
  assert.equal([...one, ...claimParts(shared, 2)], []);
  assert.equal(
    [...claimParts(shared, 1)].map(({ path }) => path),
    ['a'],
  );
});

test.run();
