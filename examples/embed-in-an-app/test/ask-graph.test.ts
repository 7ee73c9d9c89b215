import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const run = promisify(execFile);
const app = fileURLToPath(new URL('../ask-graph.js', import.meta.url));
const test = suite<{ work: string }>('an app that queries a graph');

test.before.each(async (context) => {
  context.work = await mkdtemp(join(tmpdir(), 'trove-graph-'));
});

test.after.each(async ({ work }) => {
  await rm(work, { recursive: true });
});

test('answers from a file and a note, also in a second run', async ({ work }) => {
  const notes = join(work, 'notes');
  await mkdir(notes);
  await writeFile(
    join(notes, 'babbage.md'),
    '# Charles Babbage\n\nCharles Babbage designed the Analytical Engine.\n',
  );
  await writeFile(join(notes, 'garden.md'), '# Garden\n\nTomatoes want sun.\n');
  const question = 'Which machine was designed by the colleague of Ada Lovelace?';
  const ask = () => run(process.execPath, [app, notes, question, join(work, 'home')]);
  for (const { stdout } of [await ask(), await ask()]) {
    assert.match(stdout, /^3 passages, 2 relations\n/);
    assert.match(stdout, '“Ada Lovelace worked with Charles Babbage.” [note]');
    assert.match(stdout, '“Charles Babbage designed the Analytical Engine.” [');
    assert.match(stdout, '  Charles Babbage — designed the → Analytical Engine\n');
  }
});

test.run();
