import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const run = promisify(execFile);
const app = fileURLToPath(new URL('../recent-first.js', import.meta.url));
const day = 24 * 60 * 60 * 1000;
const test = suite<{ work: string }>('an app with its own ranker');

test.before.each(async (context) => {
  context.work = await mkdtemp(join(tmpdir(), 'trove-recent-'));
});

test.after.each(async ({ work }) => {
  await rm(work, { recursive: true });
});

test('ranks a recent file above a more relevant one', async ({ work }) => {
  const notes = join(work, 'notes');
  await mkdir(notes);
  const ages = { 'old.md': 400, 'new.md': 1 };
  for (const [name, days] of Object.entries(ages)) {
    const text = name === 'old.md' ? 'The tapes are kept in the blue cupboard.' : 'The tapes.';
    await writeFile(join(notes, name), `${text}\n`);
    const then = new Date(Date.now() - days * day);
    await utimes(join(notes, name), then, then);
  }
  const { stdout } = await run(process.execPath, [
    app,
    notes,
    'tapes in the cupboard',
    join(work, 'home'),
  ]);
  const shown = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/ +/))
    .map(([, score, source]) => ({ score: Number(score), name: source?.split('/').at(-1) }));
  assert.equal(
    shown.map(({ name }) => name),
    ['new.md', 'old.md'],
  );
  const [recent, old] = shown;
  assert.ok(
    (recent?.score ?? 1) < (old?.score ?? 0),
    'the ranker does not change relevance scores',
  );
});

test.run();
