import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create } from 'tar';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyBundle } from '../src/sources/uploads/tasks/bundle.js';
import { unpackSnapshot } from '../src/sources/uploads/tasks/snapshot.js';
import { storedFiles } from '../src/sources/uploads/tasks/tree-state.js';

const test = suite('trees of uploads');

const { linkSync, fsyncSync } = fs;
let folder: string;

test.before.each(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trove-trees-'));
});
test.after.each(async () => {
  Object.assign(fs, { linkSync, fsyncSync });
  syncBuiltinESMExports();
  await rm(folder, { recursive: true, force: true });
});

/** Records the file system calls from now on. */
function replace(calls: Partial<typeof fs>): void {
  Object.assign(fs, calls);
  syncBuiltinESMExports();
}

/** Simulates FAT and some network file systems, which cannot be mounted everywhere. */
function withoutLinks(): void {
  replace({
    linkSync: () => {
      throw Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' });
    },
  });
}

/** The inodes that were flushed to the disk. */
function synced(): Set<number> {
  const inodes = new Set<number>();
  replace({
    fsyncSync: (file) => {
      inodes.add(fs.fstatSync(file).ino);
      fsyncSync(file);
    },
  });
  return inodes;
}

async function newTree(name: string): Promise<string> {
  const tree = join(folder, name);
  await rm(tree, { recursive: true, force: true });
  await mkdir(join(tree, 'files'), { recursive: true });
  return tree;
}

/** An archive of texts by path, in this order. */
async function* packed(texts: Readonly<Record<string, string>>): AsyncGenerator<Uint8Array> {
  const source = await mkdtemp(join(folder, 'source-'));
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(source, path)), { recursive: true });
    await writeFile(join(source, path), text);
  }
  const mtime = new Date(1_700_000_000_000);
  yield* create({ cwd: source, mtime, portable: true }, Object.keys(texts));
}

async function snapshot(
  name: string,
  base: string | null,
  texts: Record<string, string>,
): Promise<string> {
  const tree = await newTree(name);
  await unpackSnapshot({ tree, base, maxBytes: 1e6 }, packed(texts));
  return tree;
}

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');
const read = (tree: string, path: string) => readFile(join(tree, 'files', path), 'utf8');
const inode = async (tree: string, path: string) => (await stat(join(tree, 'files', path))).ino;

test('an equal file is linked to the stored one', async () => {
  const one = await snapshot('one', null, { 'a/x.txt': 'x', 'y.txt': 'y' });
  const two = await snapshot('two', one, { 'a/x.txt': 'x', 'y.txt': 'changed' });
  assert.is(await inode(two, 'a/x.txt'), await inode(one, 'a/x.txt'));
  assert.is.not(await inode(two, 'y.txt'), await inode(one, 'y.txt'));
  assert.is(await read(two, 'y.txt'), 'changed');
});

test('files are copied on a disk without hard links', async () => {
  withoutLinks();
  const one = await snapshot('one', null, { 'a/x.txt': 'x', 'y.txt': 'y' });
  const two = await snapshot('two', one, { 'a/x.txt': 'x', 'y.txt': 'y' });
  assert.equal([await read(two, 'a/x.txt'), await read(two, 'y.txt')], ['x', 'y']);

  const tree = await newTree('three');
  const renames = [{ old: 'y.txt', new: 'deep/z.txt', sha1: sha1('y') }];
  const bundle = packed({ '.trove-meta.json': JSON.stringify({ renames }) });
  const touched = synced();
  await applyBundle({ tree, base: two, maxBytes: 1e6 }, bundle);
  for (const [path, from] of [
    ['a/x.txt', 'a/x.txt'],
    ['deep/z.txt', 'y.txt'],
  ] as const) {
    assert.is(await read(tree, path), await read(two, from));
    assert.is.not(await inode(tree, path), await inode(two, from));
    const [was, is] = await Promise.all([
      stat(join(two, 'files', from)),
      stat(join(tree, 'files', path)),
    ]);
    assert.is(is.mtimeMs, was.mtimeMs);
    assert.ok(touched.has(is.ino), `${path} reaches the disk`);
  }
});

test('a lost stored file does not fail an archive that contains it', async () => {
  const one = await snapshot('one', null, { 'x.txt': 'x' });
  await rm(join(one, 'files', 'x.txt'));
  assert.is(await read(await snapshot('two', one, { 'x.txt': 'x' }), 'x.txt'), 'x');
});

/** The tree that a bundle creates from `base`. */
async function bundled(
  base: string,
  meta: { readonly renames?: object[]; readonly deletions?: string[] },
  texts: Readonly<Record<string, string>>,
): Promise<string> {
  const hashes = Object.entries(texts).map(([path, text]) => ({
    path,
    sha1: sha1(text),
    size: text.length,
    mtime_ns: '1700000000000000000',
  }));
  const archive = { '.trove-meta.json': JSON.stringify({ ...meta, hashes }), ...texts };
  const tree = await newTree('bundled');
  await applyBundle({ tree, base, maxBytes: 1e6 }, packed(archive));
  return tree;
}

test('sent files take precedence over renamed ones, and these over kept ones', async () => {
  const before = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd', 'e/f.txt': 'f' };
  const one = await snapshot('one', null, before);
  const rename = (from: string, to: string) => ({ old: from, new: to, sha1: sha1(from[0] ?? '') });
  const renames = [
    rename('a.txt', 'b.txt'),
    rename('b.txt', 'new.txt'),
    rename('c.txt', 'd.txt'),
    { ...rename('e/f.txt', 'g.txt'), sha1: sha1('another') },
  ];
  const tree = await bundled(one, { renames }, { 'new.txt': 'brought', 'a.txt': 'A' });
  const found = new Map(storedFiles(tree));
  assert.equal([...found.keys()].toSorted(), ['a.txt', 'b.txt', 'd.txt', 'new.txt']);
  const texts = await Promise.all([...found.keys()].toSorted().map((path) => read(tree, path)));
  assert.equal(texts, ['A', 'a', 'c', 'brought']);
  for (const [path, { sha1: known }] of found) assert.is(known, sha1(await read(tree, path)), path);
  assert.is(await inode(tree, 'd.txt'), await inode(one, 'c.txt'));
});

test('refuses a folder in place of a file that the bundle does not delete', async () => {
  const one = await snapshot('one', null, { 'a/b.txt': 'b', c: 'c' });
  for (const texts of [{ a: 'file' }, { 'c/d.txt': 'd' }])
    await bundled(one, {}, texts).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, 'both a file and a folder'),
    );
  const tree = await bundled(one, { deletions: ['c'] }, { 'c/d.txt': 'd' });
  assert.equal(Array.from(storedFiles(tree), ([path]) => path).toSorted(), ['a/b.txt', 'c/d.txt']);
});

test('flushes all new files and folders to the disk', async () => {
  const one = await snapshot('one', null, { 'same.txt': 'same' });
  const touched = synced();
  const two = await snapshot('two', one, { 'same.txt': 'same', 'a/b/x.txt': 'x', 'y.txt': 'y' });
  const tree = [
    '',
    'state.jsonl',
    'files',
    'files/a',
    'files/a/b',
    'files/a/b/x.txt',
    'files/y.txt',
  ];
  for (const path of tree) {
    assert.ok(touched.has((await stat(join(two, path))).ino), `${path} reaches the disk`);
  }
  assert.ok(touched.has((await stat(folder)).ino), 'the folder around it');
  assert.not.ok(touched.has(await inode(two, 'same.txt')), 'what was there is there');
});

test.run();
