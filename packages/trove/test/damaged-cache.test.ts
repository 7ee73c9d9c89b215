import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTrove } from '../src/index.js';

const test = suite('a damaged cache');

/** The damages of the file, and whether it is moved aside. */
const damages: readonly [string, (path: string) => Promise<unknown>, boolean][] = [
  ['bytes of something else', (path) => writeFile(path, 'no database '.repeat(1000)), true],
  ['nothing', (path) => truncate(path, 0), false],
  ['half a page', (path) => truncate(path, 2000), true],
  [
    'a folder',
    async (path) => {
      await rm(path);
      await mkdir(path);
    },
    true,
  ],
  [
    'a header that says nonsense',
    async (path) => {
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0xee, 100, 4096));
    },
    true,
  ],
];

for (const [what, damage, isAside] of damages) {
  test(`does not prevent the start: ${what}`, async () => {
    const root = await mkdtemp(join(tmpdir(), 'trove-cache-'));
    const home = join(root, 'home');
    const cache = join(home, 'transformation_cache.db');
    try {
      await mkdir(join(root, 'docs'));
      await writeFile(join(root, 'docs', 'fox.md'), 'The quick brown fox.');
      const first = await createTrove({ home });
      await first.add({ target: join(root, 'docs'), process: true });
      await first.close();
      for (const end of ['-wal', '-shm']) await rm(cache + end, { force: true });
      await damage(cache);
      const trove = await createTrove({ home });
      try {
        assert.is((await trove.search({ q: 'brown fox' })).results.length, 1);
        const { job_id: id } = await trove.add({
          target: join(root, 'docs'),
          full: true,
          process: true,
        });
        assert.is((await trove.job(id)).status, 'succeeded');
        assert.ok((await stat(cache)).isFile());
        const aside = await stat(`${cache}.damaged`).catch(() => null);
        assert.is(aside !== null, isAside);
      } finally {
        await trove.close();
      }
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
}

test.run();
