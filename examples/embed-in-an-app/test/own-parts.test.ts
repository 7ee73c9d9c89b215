import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const run = promisify(execFile);
const app = fileURLToPath(new URL('../own-parts.js', import.meta.url));
const test = suite<{ work: string }>('an app with its own embedder, cache and clock');

test.before.each(async (context) => {
  context.work = await mkdtemp(join(tmpdir(), 'trove-own-parts-'));
});

test.after.each(async ({ work }) => {
  await rm(work, { recursive: true });
});

test('searches with its own vectors and stores them in its own cache', async ({ work }) => {
  const notes = join(work, 'notes');
  await mkdir(notes);
  await writeFile(join(notes, 'a.md'), 'Restoring the backups of the archive.\n');
  await writeFile(join(notes, 'b.md'), 'A recipe with pumpkins.\n');
  const { stdout } = await run(process.execPath, [
    app,
    notes,
    'restored backup archives',
    join(work, 'home'),
  ]);
  const [first, ...rest] = stdout.trim().split('\n');
  assert.match(first ?? '', /a\.md$/);
  assert.is(rest.at(-1), '2 vectors are in the cache');
});

test.run();
