import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingProgram, testUnless } from '@trove/test-support/optional.js';
import { hidden, root } from '../src/commands/root.js';
import { wantedAt } from '../src/completion/candidates.js';
import { forBash, scripts, wordsOfLine } from '../src/completion/shells.js';
import { place } from './support/place.js';

const test = suite('completion');
const BIN = fileURLToPath(new URL('../bin/trove.js', import.meta.url));

test('knows what comes next on a command line', () => {
  const words = (...line: string[]): string[] => {
    const wanted = wantedAt(root, line);
    return wanted.kind === 'words' ? wanted.words.map(({ value }) => value) : [wanted.kind];
  };
  assert.ok(words('').includes('grep') && !words('').includes(hidden[0]?.name ?? ''));
  assert.equal(words('job', ''), ['list', 'show', 'cancel']);
  assert.equal(words('--json', 'job', 'show', ''), ['job']);
  assert.equal(words('search', 'x', '--mode', ''), ['hybrid', 'semantic', 'keyword']);
  assert.equal(words('search', '--mode', 'hybrid', 'x', ''), ['object']);
  assert.equal(words('search', 'x', 'y', ''), []);
  assert.equal(words('grep', 'x', 'a', 'b', ''), ['object']);
  assert.equal(words('grep', '-il', ''), []);
  assert.equal(words('grep', '-ilm', ''), []);
  assert.equal(words('grep', 'x', '-im', '3', ''), ['object']);
  assert.equal(words('grep', '--', '-x', ''), ['object']);
  assert.equal(words('add', '--config', ''), ['file']);
  assert.equal(words('--profile', ''), ['profile']);
  assert.equal(words('--profile', 'x', 'profile', 'use', ''), ['profile']);
  assert.equal(words('completion', ''), ['bash', 'zsh', 'fish']);
  assert.ok(words('add', '--n').includes('--no-wait'));
  assert.equal(words('nonsense', ''), words(''));
});

test('reads and quotes words as bash does', () => {
  assert.equal(wordsOfLine('trove cat a\\ b "c d" e\'f g\' '), [
    'trove',
    'cat',
    'a b',
    'c d',
    'ef g',
    '',
  ]);
  assert.equal(wordsOfLine('trove cat "a b'), ['trove', 'cat', 'a b']);
  assert.is(forBash("it's (1) $x.md", ''), "it\\'s\\ \\(1\\)\\ \\$x.md");
  assert.is(forBash('file://local/a b', 'file://lo'), '//local/a\\ b');
});

testUnless(missingProgram('bash'), test)(
  'completes the paths of sources in a real bash, and says nothing where no server is',
  async () => {
    await using here = await place();
    const { ok, notes, home, endpoint } = here;
    await mkdir(join(notes, 'two words'));
    await writeFile(join(notes, 'two words', 'a.md'), 'a');
    const complete = (line: string): string[] => {
      const script = [
        `trove() { "${process.execPath}" "${BIN}" "$@"; }`,
        'eval "$(trove completion bash)"',
        'COMP_LINE=$1 COMP_POINT=${#1} COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))',
        '_trove; printf "%s\\n" "${COMPREPLY[@]}"',
      ].join('\n');
      const words = line.split(/(?<!\\) /);
      const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', line, ...words], {
        cwd: join(notes, '..'),
        env: { PATH: process.env['PATH'], HOME: home, TROVE_HOME: home, TROVE_ENDPOINT: endpoint },
        encoding: 'utf8',
      });
      assert.is(stderr, '');
      return stdout.trimEnd().split('\n').sort();
    };
    assert.equal(complete('trove cat notes/'), ['notes/lunch.txt', 'notes/ops', 'notes/two words']);
    await ok('serve', 'start');
    await ok('add', 'notes');
    assert.equal(complete('trove cat notes/'), [
      'notes/lunch.txt',
      'notes/ops/',
      'notes/two\\ words/',
    ]);
    assert.equal(complete('trove grep x notes/two\\ words/'), ['notes/two\\ words/a.md']);
    assert.equal(complete('trove jo'), ['job']);
    assert.match(complete('trove job show ').join(), /^job_\w+|^[\w-]+$/);
    assert.ok(complete(`trove ls file://local${notes}/`).includes(`//local${notes}/ops/`));
    await ok('profile', 'add', 'work', '--endpoint', endpoint);
    assert.equal(complete('trove --profile '), ['work']);
  },
);

for (const shell of ['zsh', 'fish'] as const) {
  testUnless(missingProgram(shell), test)(`${shell} can read its script`, async () => {
    await using here = await place();
    const script = join(here.notes, `trove.${shell}`);
    await writeFile(script, scripts[shell]);
    const { status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
    assert.is(stderr, '');
    assert.is(status, 0);
  });
}

test.run();
