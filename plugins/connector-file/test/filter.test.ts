import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { randomFrom } from '@trove/test-support/random.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { testWorkers } from '@trove/testkit';

import { buildFilter } from '../src/grep/filter/build-filter.js';
import { FilterTable } from '../src/grep/filter/filter-table.js';
import { loadFilter } from '../src/grep/filter/load-filter.js';
import { mayContain, signatureOf, trigramHashes } from '../src/grep/filter/signature.js';
import { SourceFilter } from '../src/grep/filter/source-filter.js';
import { grep } from '../src/grep/grep-task.js';
import type { FileSource } from '../src/source/root.js';
import { createThreadPool, SourceThread } from '../src/threads/source-thread.js';
import { everything, inFolder, shown, type Folder } from './folder.js';

const test = suite('file connector, filter of searches');

const words = [
  'needle',
  'Größe',
  'naïve',
  '会議',
  'haystack',
  'x',
  'zebra crossing',
  'café',
] as const;
const patterns = [...words, 'eed', 'dle\n', 'nothing at all', 'Zebra', 'öß'];

function sourceIn({ path }: Folder): FileSource {
  return {
    root: path,
    name: path,
    isUpload: false,
    ignore: [],
    deniedRoots: [],
    allowedRoots: [],
  };
}

/** Builds a filter in which every file counts as settled. */
function builtFilter(folder: Folder, file: string): SharedArrayBuffer {
  const settledBefore = Date.now() + 60_000;
  for (const batch of buildFilter({ ...sourceIn(folder), file, settledBefore }))
    assert.is(batch.length, 0);
  const memory = loadFilter(file);
  if (memory === null) throw new Error('no filter was built');
  return memory;
}

interface Found {
  readonly lines: readonly string[];
  readonly unknown: number;
}

function found(folder: Folder, pattern: string, filter: SharedArrayBuffer | null): Found {
  const mode = { shared: null, owner: 1, isTrial: false, filter };
  const steps = grep({ ...sourceIn(folder), ...everything, pattern, limit: 10_000, ...mode });
  const matches = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      const { unknown, ...summary } = step.value;
      return { lines: [...shown(matches), JSON.stringify(summary)], unknown };
    }
    matches.push(...step.value);
  }
}

function writeRandomFiles(folder: Folder, count: number): void {
  const random = randomFrom(7);
  const pick = <T>(from: readonly [T, ...T[]]): T =>
    from[Math.floor(random() * from.length)] ?? from[0];
  for (let at = 0; at < count; at++) {
    const text = Array.from({ length: 1 + Math.floor(random() * 200) }, () => pick(words)).join(
      pick([' ', '\n']),
    );
    const bytes = pick([
      Buffer.from(text),
      Buffer.from(text),
      Buffer.from(text.normalize('NFD')),
      Buffer.from(text, 'latin1'),
      Buffer.from(`\ufeff${text}`, 'utf16le'),
      Buffer.from(`\0\x01\x02${text}`),
      Buffer.from(`\x1b$B2q5D\x1b(B ${text}`),
      Buffer.from(''),
    ]);
    folder.write(`${at % 5}/${at}.txt`, bytes);
  }
}

test('a signature contains every part of its text', () => {
  const random = randomFrom(3);
  for (const length of [0, 1, 2, 3, 4, 50, 400, 5000]) {
    const text = Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
    const signature = signatureOf(text);
    for (let from = 0; from < length; from += 1 + Math.floor(length / 20)) {
      const hashes = trigramHashes(text.subarray(from, from + 10));
      assert.ok(
        mayContain(signature, { start: 0, length: signature.length }, hashes),
        `${from} of ${length}`,
      );
    }
  }
});

test('a signature excludes most other texts', () => {
  const text = readFileSync(new URL(import.meta.url));
  const signature = signatureOf(text);
  assert.ok(signature.length < text.length / 20, `${signature.length} bytes`);
  const random = randomFrom(5);
  let kept = 0;
  for (let at = 0; at < 1000; at++) {
    const other = Buffer.from(Array.from({ length: 10 }, () => 97 + Math.floor(random() * 26)));
    if (mayContain(signature, { start: 0, length: signature.length }, trigramHashes(other))) kept++;
  }
  assert.ok(kept < 50, `${kept} of 1000`);
});

test(
  'a search with a filter finds the same as without one',
  inFolder((folder) =>
    withFolder(async (cache) => {
      writeRandomFiles(folder, 400);
      const filter = builtFilter(folder, join(cache, 'filter'));
      for (const pattern of patterns) {
        const { lines, unknown } = found(folder, pattern, filter);
        assert.equal(lines, found(folder, pattern, null).lines, pattern);
        assert.is(unknown, 0, pattern);
      }
      const regex = { pattern: 'ne+dle \\w', regex: true };
      assert.equal(
        found(folder, regex.pattern, filter).lines,
        found(folder, regex.pattern, null).lines,
      );
    }),
  ),
);

test(
  'a filter excludes files, so they are not read',
  inFolder((folder) =>
    withFolder(async (cache) => {
      for (let at = 0; at < 200; at++) folder.write(`${at}.md`, `hay number ${at}\n`.repeat(20));
      const memory = builtFilter(folder, join(cache, 'filter'));
      const table = FilterTable.open(memory);
      const hashes = trigramHashes(Buffer.from('needle in'));
      const kept = Array.from({ length: table.size }, (_, at) => at).filter((at) =>
        table.mayContain(at, hashes),
      );
      assert.is(table.size, 200);
      assert.ok(kept.length < 20, `${kept.length} files`);
    }),
  ),
);

test(
  'a changed file is searched, also with its former size and time',
  inFolder((folder) =>
    withFolder(async (cache) => {
      folder.write('a.md', 'hay hay\n');
      folder.write('b.md', 'hay hay\n');
      const time = new Date('2026-01-01T00:00:00Z');
      utimesSync(folder.at('a.md'), time, time);
      const file = join(cache, 'filter');
      const filter = builtFilter(folder, file);
      folder.write('a.md', 'needle!\n');
      utimesSync(folder.at('a.md'), time, time);
      const { lines, unknown } = found(folder, 'needle', filter);
      assert.is(lines[0], 'a.md:1:needle!');
      assert.is(unknown, 1);
      assert.is(found(folder, 'needle', builtFilter(folder, file)).unknown, 0);
    }),
  ),
);

test(
  'a file that changed just before is not in the filter',
  inFolder((folder) =>
    withFolder(async (cache) => {
      folder.write('a.md', 'hay\n');
      const file = join(cache, 'filter');
      const settledBefore = statSync(folder.at('a.md')).ctimeMs;
      Array.from(buildFilter({ ...sourceIn(folder), file, settledBefore }));
      assert.is(found(folder, 'needle', loadFilter(file)).unknown, 1);
    }),
  ),
);

test(
  'a damaged or incomplete filter is not used',
  inFolder((folder) =>
    withFolder(async (cache) => {
      for (let at = 0; at < 20; at++) folder.write(`${at}.md`, `hay ${at}\n`);
      const file = join(cache, 'filter');
      builtFilter(folder, file);
      const whole = readFileSync(file);
      for (let at = 0; at < whole.length; at += 7) {
        const damaged = Buffer.from(whole);
        damaged.writeUInt8((damaged.readUInt8(at) + 1) % 256, at);
        writeFileSync(file, damaged);
        assert.is(loadFilter(file), null, `byte ${at}`);
      }
      for (const length of [0, 3, 15, 16, whole.length - 1]) {
        writeFileSync(file, whole.subarray(0, length));
        assert.is(loadFilter(file), null, `${length} bytes`);
      }
      writeFileSync(file, Buffer.alloc(whole.length));
      assert.is(loadFilter(file), null, 'zeros');
      assert.equal(readdirSync(cache), ['filter']);
    }),
  ),
);

test(
  'a filter is written after a search of many unknown files',
  inFolder((folder) =>
    withFolder(async (cache) => {
      folder.write('a.md', 'hay\n');
      const threads = createThreadPool(testWorkers);
      const filter = new SourceFilter(new SourceThread(threads), sourceIn(folder), cache, 100);
      try {
        assert.is(await filter.load(), null);
        await filter.update({ isFiltered: false, unknown: 99 });
        assert.not.ok(existsSync(join(cache, 'grep-filter')));
        await filter.update({ isFiltered: false, unknown: 100 });
        assert.ok((await filter.load()) instanceof SharedArrayBuffer);
      } finally {
        await filter.close();
      }
    }),
  ),
);

test.run();
