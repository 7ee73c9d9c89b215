// test-timeout: 400
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { missingProgram, testUnless } from '@trove/test-support/skips.js';
import { place } from './support/place.js';

const test = suite('grep with a real server');

const testWithRipgrep = testUnless(missingProgram('rg', 'ripgrep (rg)'), test);

/** A program in many files, with words, long lines, other encodings and empty lines. */
async function writeProgram(folder: string): Promise<void> {
  await mkdir(join(folder, 'src', 'deep'), { recursive: true });
  for (let file = 0; file < 30; file++) {
    const lines = Array.from({ length: 60 }, (_, line) =>
      line % 7 === 0
        ? ''
        : line % 5 === 0
          ? `export const value${line} = read('cat', concat); // 😀 größe ${file}`
          : `  if (cat && ${file} > ${line}) return cat(${line});`,
    );
    const name = `${file % 2 === 0 ? 'deep/' : ''}file${file}.${['ts', 'md', 'test.ts'][file % 3]}`;
    await writeFile(join(folder, 'src', name), lines.join('\n'));
  }
}

const isLiteral = (options: readonly string[]): boolean =>
  options.some((option) => /^-\w*F/.test(option));

testWithRipgrep('prints what ripgrep prints, with all its usual options', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  await writeProgram(notes);
  await ok('serve', 'start');
  await ok('add', 'notes');
  const rg = (...args: string[]) =>
    spawnSync('rg', ['--no-heading', '--sort=path', '--color=never', ...args], {
      cwd: join(notes, '..'),
      encoding: 'utf8',
    });
  const sorted = (text: string): string => text.split('\n').sort().join('\n');
  let lines = 0;
  for (const options of [
    ['-n', 'cat', 'notes'],
    ['-n', '-w', 'cat', 'notes'],
    ['-n', '-v', 'cat', 'notes'],
    ['-n', '-i', 'CAT', 'notes'],
    ['-n', '-S', 'CAT', 'notes'],
    ['-n', '-S', 'größe', 'notes'],
    ['-n', '-o', 'c[a-z]+', 'notes'],
    ['-n', '-ow', 'cat', 'notes'],
    ['-c', 'cat', 'notes'],
    ['-c', '-v', 'cat', 'notes'],
    ['-l', 'value35', 'notes'],
    ['-n', '-m', '2', 'return', 'notes'],
    ['-n', 'value5\\b', 'notes/src', '-g', '*.ts', '-g', '!*.test.ts'],
    ['-n', 'value5\\b', 'notes', '-t', 'md'],
    ['-n', 'value5\\b', 'notes', '-t', 'ts', '-g', '!deep'],
    ['-n', 'value5\\b', 'notes', '-T', 'md'],
    ['-n', 'value1[05]', 'notes/src/deep', 'notes/src/file1.md', '-g', '*.{md,ts}'],
    ['-n', '-A', '2', 'value1[05]', 'notes'],
    ['-n', '-B', '3', 'value1[05]', 'notes'],
    ['-n', '-C', '4', 'value1[05]', 'notes'],
    ['-n', '-A', '1', '-B', '4', 'value5|value10', 'notes'],
    ['-n', '-C', '25', 'value1[05]', 'notes'],
    ['-n', '-A', '12', '-w', 'value55', 'notes'],
    ['-n', '-e', 'value5\\b', '-e', 'concat\\); // .*7$', 'notes/src'],
    ['-n', '-F', '-e', 'value5 =', '-e', 'cat(3)', 'notes'],
    ['-n', '-x', '  if .cat.*', 'notes'],
    ['-n', '-x', 'if .cat.*', 'notes'],
    ['-c', '-xv', '  if .*', 'notes/src'],
    ['-n', '-xF', '  if (cat && 3 > 2) return cat(2);', 'notes'],
    ['-N', '-I', 'value50', 'notes'],
    ['-n', '--column', 'return', 'notes/src/file1.md'],
    ['-q', 'cat', 'notes'],
    ['-q', 'nothing like it', 'notes'],
    ['-n', 'nothing like it', 'notes'],
  ]) {
    const theirs = rg('--with-filename', ...options);
    const ours = await trove('grep', ...(isLiteral(options) ? [] : ['-E']), ...options);
    assert.is(sorted(ours.stdout), sorted(theirs.stdout), options.join(' '));
    assert.is(ours.code, theirs.status, options.join(' '));
    lines += theirs.stdout.split('\n').length;
  }
  for (const options of [[], ['-C', '1'], ['-C', '12'], ['-N']]) {
    const args = ['--heading', '-n', ...options, 'value1[05]', 'notes'];
    const byFile = (text: string): string[] => text.trimEnd().split('\n\n').sort();
    const ours = await ok('grep', '-E', ...args);
    assert.equal(byFile(ours), byFile(rg(...args).stdout), args.join(' '));
  }
  assert.ok(lines > 5000, `only ${lines} lines were compared`);
});

test('reads several pages and reports when the limit is reached', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  const many = 23_456;
  await writeFile(join(notes, 'many.log'), 'needle in a line\n'.repeat(many));
  await ok('serve', 'start');
  await ok('add', 'notes');
  const all = (await ok('grep', 'needle', 'notes')).trimEnd().split('\n');
  assert.is(all.length, many);
  assert.equal(new Set(all).size, many);
  assert.is(all.at(-1), `notes/many.log:${many}:needle in a line`);
  assert.is(await ok('grep', '-c', 'needle'), `notes/many.log:${many}\n`);
  const some = await trove('grep', 'needle', '--limit', '1500');
  assert.is(some.stdout.trimEnd().split('\n').length, 1500);
  assert.match(some.stderr, 'there are more matches; raise --limit');
  const json = (await ok('grep', 'needle', '--json', '--limit', '2')).trimEnd().split('\n');
  const [first] = json.map((line) => JSON.parse(line));
  assert.is(json.length, 2);
  assert.is(first.path, 'notes/many.log');
  assert.is(first.line, 1);
  assert.equal(first.match, { lines: [1, 1], column: 1 });
});

test('exits like grep and names options in errors', async () => {
  await using here = await place();
  const { ok, trove } = here;
  await ok('serve', 'start');
  await ok('add', 'notes');
  assert.is((await trove('grep', 'Soup')).code, 0);
  assert.is((await trove('grep', 'Bouillon')).code, 1);
  for (const [args, message] of [
    [['Soup', '/nowhere'], /No registered source contains \/nowhere/],
    [['-E', '('], /PATTERN: a group/],
    [['-e', 'Soup', '-e', ' '], /-e must not be blank/],
    [['--count'], /PATTERN must not be blank/],
    [['Soup', '-t', 'jsom'], /--type: "jsom" is not a known file type\n.*Did you mean "json"/],
    [['Soup', '-t', 'pptx'], /--type: "pptx" .*\n.*Use the type "office"/],
    [['Soup', '-g', 'a['], /--glob: one of the patterns/],
    [['Soup', '-m', '0'], /--max-count: must be >= 1/],
    [['Soup', '--limit', '0'], /--limit must be at least 1/],
    [['-ov', 'Soup'], /-o and -v cannot be combined/],
    [['-EF', 'Soup'], /-E and -F cannot be combined/],
  ] as const) {
    const { code, stderr } = await trove('grep', ...args);
    assert.match(stderr, message);
    assert.is(code, 2, args.join(' '));
  }
  const literal = await trove('grep', 'Soup|pizza');
  assert.is(literal.code, 1);
  assert.match(literal.stderr, 'is a literal text; -E');
  assert.is((await trove('grep', '-0l', 'Soup')).stdout, 'notes/lunch.txt\0');
});

test.run();
