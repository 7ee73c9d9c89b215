import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { ObjectKind } from '@trove/core';
import { outline as outlineOf } from '../src/chunking/index.js';

const test = suite('outline');

const outline = (
  text: string,
  kind: ObjectKind,
  mediaType: string | null,
  density: 'peek' | 'skim',
  path = '',
) => outlineOf({ text, kind, mediaType, path }, density);

const markdown = '# Guide\n\nIntro.\nMore.\n\n## Setup\n\n### Linux\n\nRun it.\n';

test('peek gives the headings as they stand', () => {
  assert.is(outline(markdown, 'document', 'text/markdown', 'peek'), '# Guide\n## Setup\n### Linux');
});

test('the head of a table is no heading', () => {
  const text = '| a | b |\n| --- | --- |\n| 1 | 2 |\n';
  assert.is(outline(`# Guide\n\n${text}`, 'document', 'text/markdown', 'peek'), '# Guide');
  assert.is(outline(text, 'document', 'text/markdown', 'peek'), null);
});

test('skim adds the first line under each that has one before the next', () => {
  assert.is(
    outline(markdown, 'document', null, 'skim', 'guide.md'),
    '# Guide\nIntro.\n## Setup\n### Linux\nRun it.',
  );
});

test('of underlined headings, the underline is not the line under them', () => {
  assert.is(outline('Title\n=====\n\nText.\n', 'text', null, 'skim', 'a.rst'), 'Title\nText.');
});

test('peek at code gives its signatures, indented as they are', () => {
  const code = '#include <x>\n#if defined(A)\nint main(void)\n{\n  if (x) {\n  }\n}\nmain();\n';
  assert.is(outline(code, 'code', 'text/x-c', 'peek'), 'int main(void)');
  const python = '@wrap\nclass A:\n    async def f(self):\n        return g(1)\n\nx = 1\n';
  assert.is(outline(python, 'code', 'text/x-python', 'peek'), 'class A:\n    async def f(self):');
  const typescript =
    'type A = 1;\nexport const f = () => 1;\nconst o = { type: 2 };\nclass C {\n  #p(x) {\n  }\n}\n';
  assert.is(
    outline(typescript, 'code', 'text/typescript', 'peek'),
    'type A = 1;\nexport const f = () => 1;\nclass C {\n  #p(x) {',
  );
  assert.is(
    outline('CREATE TABLE t (\n  id int\n);\n', 'code', 'application/sql', 'peek'),
    'CREATE TABLE t (',
  );
  assert.is(
    outline('(ns a)\n(defn f [x]\n  (g x))\n', 'code', null, 'peek', 'a.clj'),
    '(defn f [x]',
  );
  assert.is(outline('build: a\n\tcc a\nX := 1\n', 'code', null, 'peek', 'Makefile'), 'build: a');
  assert.is(
    outline('fn main() {\n}\nimpl<T> A for B<T> {\n}\n', 'code', null, 'peek', 'a.rs'),
    'fn main() {\nimpl<T> A for B<T> {',
  );
  assert.is(
    outline('func (r *T) Do(x int) error {\n}\n', 'code', null, 'peek', 'a.go'),
    'func (r *T) Do(x int) error {',
  );
});

test('null without headings or definitions, and for data', () => {
  assert.is(outline('just text\n', 'document', null, 'peek'), null);
  assert.is(outline('', 'code', null, 'peek'), null);
  assert.is(outline('{\n  "a": {\n  }\n}\n', 'text', 'application/json', 'peek'), null);
});

test('long lines are shortened, never inside a character', () => {
  const shown = outline(`# ${'x'.repeat(397)}${'😀'.repeat(9)}\n`, 'document', null, 'peek') ?? '';
  assert.ok(shown.isWellFormed() && shown.endsWith('x…') && shown.length === 400);
});

test.run();
