import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { ObjectKind } from '@trove/core';
import { outline as outlineOf } from '../src/content/chunking/index.js';

const test = suite('outline');

const outline = (
  text: string,
  kind: ObjectKind,
  mediaType: string | null,
  density: 'peek' | 'skim',
  path = '',
) => outlineOf({ text, kind, mediaType, path }, density)?.text ?? null;

const markdown = '# Guide\n\nIntro.\nMore.\n\n## Setup\n\n### Linux\n\nRun it.\n';

test('peek returns headings unchanged', () => {
  assert.is(
    outline(markdown, 'document', 'text/markdown', 'peek'),
    '1: # Guide\n6: ## Setup\n8: ### Linux',
  );
});

test('the head of a table is not a heading', () => {
  const text = '| a | b |\n| --- | --- |\n| 1 | 2 |\n';
  assert.is(outline(`# Guide\n\n${text}`, 'document', 'text/markdown', 'peek'), '1: # Guide');
  assert.is(outline(text, 'document', 'text/markdown', 'peek'), null);
});

test('skim adds the first line under each heading that has text', () => {
  assert.is(
    outline(markdown, 'document', null, 'skim', 'guide.md'),
    '1: # Guide\n3: Intro.\n6: ## Setup\n8: ### Linux\n10: Run it.',
  );
});

test('skim skips the underline of a heading', () => {
  assert.is(
    outline('Title\n=====\n\nText.\n', 'text', null, 'skim', 'a.rst'),
    '1: Title\n4: Text.',
  );
});

test('peek returns signatures of code with their indentation', () => {
  const code = '#include <x>\n#if defined(A)\nint main(void)\n{\n  if (x) {\n  }\n}\nmain();\n';
  assert.is(outline(code, 'code', 'text/x-c', 'peek'), '3: int main(void)');
  const python = '@wrap\nclass A:\n    async def f(self):\n        return g(1)\n\nx = 1\n';
  assert.is(
    outline(python, 'code', 'text/x-python', 'peek'),
    '2: class A:\n3:     async def f(self):',
  );
  const typescript =
    'type A = 1;\nexport const f = () => 1;\nconst o = { type: 2 };\nclass C {\n  #p(x) {\n  }\n}\n';
  assert.is(
    outline(typescript, 'code', 'text/typescript', 'peek'),
    '1: type A = 1;\n2: export const f = () => 1;\n4: class C {\n5:   #p(x) {',
  );
  assert.is(
    outline('CREATE TABLE t (\n  id int\n);\n', 'code', 'application/sql', 'peek'),
    '1: CREATE TABLE t (',
  );
  assert.is(
    outline('(ns a)\n(defn f [x]\n  (g x))\n', 'code', null, 'peek', 'a.clj'),
    '2: (defn f [x]',
  );
  assert.is(outline('build: a\n\tcc a\nX := 1\n', 'code', null, 'peek', 'Makefile'), '1: build: a');
  assert.is(
    outline('fn main() {\n}\nimpl<T> A for B<T> {\n}\n', 'code', null, 'peek', 'a.rs'),
    '1: fn main() {\n3: impl<T> A for B<T> {',
  );
  assert.is(
    outline('func (r *T) Do(x int) error {\n}\n', 'code', null, 'peek', 'a.go'),
    '1: func (r *T) Do(x int) error {',
  );
});

const signatures = (path: string, ...text: readonly string[]): string[] =>
  (outline(`${text.join('\n')}\n`, 'code', null, 'peek', path) ?? '').split('\n');

test('a multi-line signature is one complete entry at its first line', () => {
  const python = [
    'class A(',
    '    Base,  # of all',
    '):',
    '    def f(',
    '        self,',
    '        a: str = "(",',
    '    ) -> int:',
    '        pass',
  ];
  assert.equal(signatures('a.py', ...python), [
    '1: class A(Base):',
    '4:     def f(self, a: str = "(") -> int:',
  ]);
  const java = [
    'class A {',
    '  public A(int x,',
    '           String y)',
    '      throws E {',
    '    run(x,',
    '        y);',
    '  }',
    '}',
  ];
  assert.equal(signatures('A.java', ...java), [
    '1: class A {',
    '2:   public A(int x, String y) throws E {',
  ]);
  const c = [
    'static int add(int a,',
    '               int b)',
    '{',
    '  if (add(1,',
    '      2)) {',
    '  }',
    '}',
  ];
  assert.equal(signatures('a.c', ...c), ['1: static int add(int a, int b)']);
  const rust = ["fn new<'a, T>(", "    x: &'a T,", ') -> S<T>', 'where', '    T: Clone,', '{', '}'];
  assert.equal(signatures('a.rs', ...rust), [
    "1: fn new<'a, T>(x: &'a T) -> S<T> where T: Clone, {",
  ]);
  const script = [
    'export const f = (',
    '  a: string,',
    '  b: number,',
    '): void => {',
    '};',
    'export class C<',
    '  T,',
    '> {',
    '}',
  ];
  assert.equal(signatures('a.ts', ...script), [
    '1: export const f = (a: string, b: number): void => {',
    '6: export class C<T> {',
  ]);
  const go = ['func New(', '\tctx Context,', '\topts ...Option,', ') error {', '}'];
  assert.equal(signatures('a.go', ...go), ['1: func New(ctx Context, opts ...Option) error {']);
  const sql = ['CREATE FUNCTION f(', '  a int,', '  b text', ') RETURNS int AS $$'];
  assert.equal(signatures('a.sql', ...sql), [
    '1: CREATE FUNCTION f(a int, b text) RETURNS int AS $$',
  ]);
  const skim = outline('def f(\n    a,\n):\n    return a\n', 'code', null, 'skim', 'a.py');
  assert.is(skim, '1: def f(a):\n4:     return a');
});

test('calls, callbacks, comments and strings are not definitions', () => {
  const script = [
    "describe('a', () => {",
    "  it('b', async function () {",
    '    list.forEach((each) => {',
    '    });',
    '    eos(this.raw, (err) => {',
    '    });',
    '  });',
    '});',
    'Object.defineProperties(A.prototype, {',
    '  x: {',
    '    get () {',
    '    }',
    '  }',
    '});',
    '/*',
    'class of things',
    'function inside() {',
    '*/',
    'A.prototype.send = function (x) {',
    '};',
  ];
  assert.equal(signatures('a.js', ...script), ['19: A.prototype.send = function (x) {']);
  const quotes = '"""';
  const python = [
    quotes,
    'class of things',
    'def inside(a):',
    quotes,
    'type(os)',
    'object(x)',
    'def g(): pass',
  ];
  assert.equal(signatures('a.py', ...python), ['7: def g(): pass']);
  const go = [
    'func F() {',
    '\tgo func() {',
    '\t}()',
    '\terr := do(func() error {',
    '\t})',
    '\ttype (',
    '\t\tX struct {',
    '\t\t}',
    '\t)',
    '}',
  ];
  assert.equal(signatures('a.go', ...go), ['1: func F() {', '7: \t\tX struct {']);
  const kotlin = ['fun run() {', '    launch(Dispatchers.IO) {', '    }', '}'];
  assert.equal(signatures('a.kt', ...kotlin), ['1: fun run() {']);
});

test('a hostile text is outlined in bounded time', () => {
  const texts = ['foo(\n'.repeat(5000), 'f(a,'.repeat(20_000), `${'"'.repeat(99_999)}(`];
  const start = performance.now();
  for (const text of texts) signatures('a.ts', text);
  assert.ok(performance.now() - start < 5000);
});

test('data and texts without headings or definitions have no outline', () => {
  assert.is(outline('just text\n', 'document', null, 'peek'), null);
  assert.is(outline('', 'code', null, 'peek'), null);
  assert.is(outline('{\n  "a": {\n  }\n}\n', 'text', 'application/json', 'peek'), null);
});

test('long lines are shortened, but never inside a character', () => {
  const shown = outline(`# ${'x'.repeat(397)}${'😀'.repeat(9)}\n`, 'document', null, 'peek') ?? '';
  assert.ok(shown.isWellFormed() && shown.endsWith('x…') && shown.length === 403);
});

test.run();
