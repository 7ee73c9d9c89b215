import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePathFilter, PathPattern, readGlobs } from '@trove/text/glob';
import { assertCheap } from '@trove/test-support/waiting.js';

const test = suite('path patterns');

function matches(pattern: string, path: string): boolean {
  return PathPattern.parse(pattern)?.matches(path, path.slice(path.lastIndexOf('/') + 1)) === true;
}

test('composed and decomposed letters match each other', () => {
  for (const pattern of ['Größe*', 'Größe.md', '/Größe.md', 'Gr[ö]ße.md']) {
    for (const form of ['NFC', 'NFD'] as const) {
      assert.ok(matches(pattern.normalize('NFC'), 'Größe.md'.normalize(form)), pattern);
      assert.ok(matches('Größe*'.normalize(form), 'Größe.md'.normalize('NFC')));
    }
  }
});

const cases: readonly [pattern: string, matching: readonly string[], others: readonly string[]][] =
  [
    ['*.log', ['a.log', 'b/c.log', '.log'], ['a.log.txt', 'a.LOG']],
    ['/extra', ['extra'], ['a/extra', 'extra/a']],
    ['docs/*.md', ['docs/a.md'], ['docs/a/b.md', 'x/docs/a.md']],
    ['docs/**', ['docs/a', 'docs/a/b'], ['docs', 'doc/a']],
    ['**/a', ['a', 'b/a', 'b/c/a'], ['ba', 'a/b']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/b/c']],
    ['a?c', ['abc', 'a😀c'], ['ac', 'a/c', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx', 'x']],
    ['[!a-c]x', ['dx'], ['ax']],
    ['[]-]', [']', '-'], ['[']],
    ['a[/]b', [], ['a/b', 'ab']],
    ['\\*', ['*'], ['a']],
    ['a**b', ['ab', 'axb'], ['a/b']],
    ['**', ['a', 'a/b'], []],
    ['[a', [], ['a', '[a']],
    ['a//b', [], ['a/b', 'a//b']],
    ['a\\', [], ['a', 'a\\']],
    ['', [], ['', 'a']],
    ['/', [], ['', 'a']],
  ];

for (const [pattern, matching, others] of cases) {
  test(`"${pattern}" matches like git`, () => {
    for (const path of matching) assert.ok(matches(pattern, path), path);
    for (const path of others) assert.not(matches(pattern, path), path);
  });
}

test('a pattern covers the files of matching folders', () => {
  const covers = (pattern: string, file: string): boolean =>
    PathPattern.parse(pattern)?.covers(file.split('/')) === true;
  for (const pattern of ['docs', '/docs', 'docs/', 'docs/**', 'd*', '**/docs', '/docs/old']) {
    assert.ok(covers(pattern, 'docs/old/a.md'), pattern);
  }
  assert.ok(covers('old/', 'docs/old/a.md'));
  assert.ok(covers('*.md', 'docs/old/a.md'));
  assert.ok(covers('a.md', 'a.md'));
  assert.not(covers('a.md/', 'a.md'));
  assert.not(covers('/old', 'docs/old/a.md'));
  assert.not(covers('doc', 'docs/old/a.md'));
});

test('hostile patterns and paths are matched quickly', () =>
  assertCheap(10_000, () => {
    const name = 'a'.repeat(250);
    const path = `${'a/'.repeat(1000)}c`;
    for (const pattern of [
      '*a*a*a*a*a*a*a*b',
      `${'?*'.repeat(60)}b`,
      '*[a]*[a]*[a]*[a]*[a]*[a]*b',
    ]) {
      assert.not(matches(pattern, name));
    }
    for (const pattern of [
      `${'**/a/'.repeat(20)}b`,
      `${'a/**/'.repeat(200)}b`,
      `**/*/${'**/*/'.repeat(9)}b`,
    ]) {
      assert.not(matches(pattern, path));
      assert.not(PathPattern.parse(pattern)?.covers(path.split('/')));
    }
    for (const unit of ['[', '[[:', '[a-', '\\', '[]', '*', '**/']) {
      PathPattern.parse(unit.repeat(2000));
      PathPattern.parse(unit.repeat(2_000_000));
    }
  }));

test('readGlobs expands alternatives', () => {
  assert.equal(readGlobs('*.ts'), ['*.ts']);
  assert.equal(readGlobs('*.{ts,tsx},!*.test.ts'), ['*.ts', '*.tsx', '!*.test.ts']);
  assert.equal(readGlobs('{a,b{c,d}}e'), ['ae', 'bce', 'bde']);
  assert.equal(readGlobs('a\\,b, c\\{d'), ['a\\,b', 'c\\{d']);
  assert.equal(readGlobs('a{b'), ['a{b']);
  for (const text of ['', 'a,,b', 'a[', '!', '{a,b}'.repeat(8)]) {
    assert.is(readGlobs(text), null, text);
  }
  assert.is(readGlobs('{a,b}'.repeat(7))?.length, 128);
});

test('the last covering pattern decides, and every list must match', () => {
  const chosen = (lists: string[][], path: string, folder = ''): boolean =>
    compilePathFilter(lists, folder)(path);
  assert.is(chosen([], 'a'), true);
  assert.is(chosen([['*.ts']], 'a/b.ts'), true);
  assert.is(chosen([['*.ts']], 'a/b.js'), false);
  assert.is(chosen([['!*.ts']], 'a/b.js'), true);
  assert.is(chosen([['*.ts', '!a', 'a/b.ts']], 'a/b.ts'), true);
  assert.is(chosen([['*.ts', '!a']], 'a/b.ts'), false);
  assert.is(chosen([['*.ts'], ['b/**']], 'a/b.ts'), false);
  assert.is(chosen([['/b.ts']], 'a/b.ts', 'a'), true);
  assert.is(chosen([['/b.ts']], 'a/b.ts', 'a/b.ts'), true);
  assert.is(chosen([['a']], 'a/b.ts', 'a'), false);
});

test.run();
