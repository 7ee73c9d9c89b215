import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const run = promisify(execFile);
const app = fileURLToPath(new URL('../app.js', import.meta.url));
const test = suite<{ work: string }>('embedding the engine in an app');

test.before.each(async (context) => {
  context.work = await mkdtemp(join(tmpdir(), 'trove-embed-'));
});

test.after.each(async ({ work }) => {
  await rm(work, { recursive: true });
});

test('indexes a folder, answers from it, and then reads only changed files', async ({ work }) => {
  const notes = join(work, 'notes');
  await mkdir(notes);
  await writeFile(
    join(notes, 'backups.md'),
    '# Backups\n\nThe tapes are kept in the blue cupboard.\n',
  );
  await writeFile(join(notes, 'garden.md'), '# Garden\n\nTomatoes want sun.\n');
  const ask = () => run(process.execPath, [app, notes, 'where are the tapes?', join(work, 'home')]);

  const first = await ask();
  assert.match(first.stdout, /2 added, 0 changed, 0 unchanged/);
  assert.match(first.stdout, /backups\.md .*\n# Backups/);

  const second = await ask();
  assert.match(second.stdout, /0 added, 0 changed, 2 unchanged/);
});

test.run();
