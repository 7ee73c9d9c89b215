import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { assertCheap } from '@trove/test-support/waiting.js';
import { outline } from '../src/content/chunking/index.js';

const test = suite('outlines of code');

function entries(path: string, text: readonly string[]) {
  const source = { text: `${text.join('\n')}\n`, kind: 'code' as const, mediaType: null, path };
  return outline(source, 'peek')?.entries ?? [];
}

/** Returns `FROM-END NAME` of each entry, indented by its level. */
function shape(path: string, text: readonly string[]): string[] {
  return entries(path, text).map(
    ({ line, end, name, level }) => `${' '.repeat(level - 1)}${line}-${end} ${name}`,
  );
}

test('entries have the lines, names and levels of their definitions', () => {
  const text = [
    'export class Box {',
    '  constructor(',
    '    readonly a: number,',
    '    readonly b: number,',
    '  ) {',
    '    run();',
    '  }',
    '',
    '  close(): void {}',
    '}',
    '',
    'export type Size =',
    '  | number',
    '  | string;',
  ];
  assert.equal(entries('a.ts', text), [
    { line: 1, end: 10, text: 'export class Box {', name: 'Box', level: 1 },
    {
      line: 2,
      end: 7,
      text: '  constructor(readonly a: number, readonly b: number) {',
      name: 'constructor',
      level: 2,
    },
    { line: 9, end: 9, text: '  close(): void {}', name: 'close', level: 2 },
    { line: 12, end: 14, text: 'export type Size =', name: 'Size', level: 1 },
  ]);
});

test('a long signature is shortened', () => {
  const parameters = Array.from({ length: 40 }, (_, at) => `  parameter${at}: string,`);
  const [entry] = entries('a.ts', ['export function long(', ...parameters, ') {', '}']);
  assert.is(entry?.text.length, 201);
  assert.match(entry?.text ?? '', /^export function long\(parameter0: string, .*…$/);
});

test('imports, callbacks of tests and local functions are left out', () => {
  const text = [
    'import {',
    '  type Engine,',
    '} from "engine";',
    'interface Context {',
    '}',
    'test("reads", async ({ engine }) => {',
    '  const source = {',
    '    async *list() {',
    '      yield 1;',
    '    },',
    '  };',
    '  source.onRead = (path) => {',
    '  };',
    '});',
    'test.before.each(async (context) => {',
    '  function inner() {',
    '  }',
    '});',
    'function outer() {',
    '  resolve = () => {',
    '  };',
    '  function named() {',
    '  }',
    '}',
    'define(["a"], function (a) {',
    '  function inModule() {',
    '  }',
    '});',
    'const rules = [',
    '  pattern(`(?:x) ?: ?[a]`),',
    '];',
  ];
  assert.equal(shape('a.test.ts', text), [
    '4-5 Context',
    '19-24 outer',
    ' 22-23 named',
    '26-27 inModule',
  ]);
});

test('members of classes that hold functions are kept', () => {
  const text = ['class A {', '  handle = async (event: Event) => {', '  };', '}'];
  assert.equal(shape('a.ts', text), ['1-4 A', ' 2-3 handle']);
});

test('Python bodies end at the last line with more indentation', () => {
  const text = [
    'class A(Base):',
    '    """Text.',
    'not indented',
    '    """',
    '',
    '    @property',
    '    def b(self,',
    '          x):',
    '        return 1',
    '# a comment',
    '        # another',
    '',
    'def c(): return 2',
    'c()',
  ];
  assert.equal(shape('a.py', text), ['1-11 A', ' 7-11 b', '13-13 c']);
});

test('C has functions behind macros, types and the functions of headers, but no variables', () => {
  const text = [
    'struct node *first;',
    'typedef struct node',
    '{',
    '  struct node *next;',
    '} node_t;',
    'typedef int flag;',
    '#define LIMIT 5',
    '  /* indented */',
    'typedef int (*visitor)(node_t *);',
    'PUBLIC(char *) print(const node_t *item);',
    'int count(',
    '  int a);',
    'static enum mode mode_of(int a)',
    '{',
    'out:',
    '  return a;',
    '}',
    'template <class T> void Backup::Error(T* baton) {',
    '}',
  ];
  assert.equal(shape('a.h', text), [
    '2-5 node_t',
    '6-6 flag',
    '9-9 visitor',
    '10-10 print',
    '11-12 count',
    '13-17 mode_of',
    '18-19 Backup::Error',
  ]);
  assert.not(shape('a.c', text).includes('10-10 print'));
});

test('Go groups of variables and destructured values of Rust are no entries', () => {
  const go = ['var (', '\ta = 1', ')', 'const (', '\tb = 2', ')', 'func (t *T) Do(x int) {', '}'];
  assert.equal(shape('a.go', go), ['7-8 Do']);
  const rust = ['impl A {', '    fn f() {', '        let (a, b) = range(1);', '    }', '}'];
  assert.equal(shape('a.rs', rust), ['1-5 null', ' 2-4 f']);
});

test('other languages end at their keywords and headings at the next heading', () => {
  assert.equal(shape('a.rb', ['def a', '  1', 'rescue X', '  2', 'end', 'x = 1']), ['1-5 a']);
  assert.equal(shape('a.sh', ['a() {', '  b', '}', 'c']), ['1-3 a']);
  const markdown = ['# A', 'text', '## B', 'text', '', '# C', 'end'];
  assert.equal(shape('a.md', markdown), ['1-4 A', ' 3-4 B', '6-7 C']);
});

test('an exported or assigned class is a definition with its methods', () => {
  const text = [
    "const Emitter = require('events');",
    'module.exports = class Application extends Emitter {',
    '  listen(...args) {',
    '    return server(args);',
    '  }',
    '};',
    'exports.Other = class {',
    '  go() {}',
    '};',
  ];
  const found = shape('a.js', text);
  assert.ok(found.includes('2-6 Application'), found.join('; '));
  assert.ok(found.includes(' 3-5 listen'), found.join('; '));
  assert.ok(
    found.some((entry) => entry.startsWith('7-9 ')),
    found.join('; '),
  );
});

for (const line of ['function f() {', 'class A \\', "test('a', () => {", '// a']) {
  test(`many definitions without an end take linear time: ${line}`, () =>
    assertCheap(10_000, () =>
      shape('a.js', Array<string>(30_000).fill(`${line}\nfunction g() {`)),
    ));
}

test.run();
