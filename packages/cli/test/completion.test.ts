import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { listCommands } from '@trove/commands/pages';
import { program } from '../src/program.js';
import { place } from './support/place.js';

const test = suite('completion');
const binPath = fileURLToPath(new URL('../bin/trove.js', import.meta.url));

test('has a completer for every kind of value in its arguments', async () => {
  const commands = await listCommands(program.root);
  const all = [program.globals, ...commands.map(({ command }) => command.args)];
  const kinds = new Set(
    all.flatMap((args) =>
      Object.values(args).flatMap((def) => (def.type === 'boolean' ? [] : (def.completes ?? []))),
    ),
  );
  assert.equal([...kinds].sort(), ['file', ...Object.keys(program.completers)].sort());
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
        `trove() { "${process.execPath}" "${binPath}" "$@"; }`,
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
    await writeFile(script, await here.ok('completion', shell));
    const { status, stderr } = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
    assert.is(stderr, '');
    assert.is(status, 0);
  });
}

test.run();
