import type { Engine, SymbolsQuery } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { EventLoopCounter } from '@trove/test-support/event-loop-counter.js';
import { rejection } from '@trove/test-support/rejection.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('symbols');

const files: Readonly<Record<string, string>> = {
  'a/use.ts': [
    "import { parseHeader } from './header.js';",
    'export function run(): void {',
    '  parseHeader();',
    '  parseHeaders();',
    '}',
    '',
  ].join('\n'),
  'b/header.ts': [
    '/** Reads parseHeader. */',
    'export function parseHeader(',
    '  text: string,',
    '): number {',
    '  return text.length;',
    '}',
    '',
    'export class Box {',
    '  open(): void {}',
    '}',
    '',
    'export class Door {',
    '  open(): void {}',
    '}',
    '',
  ].join('\n'),
  'a/test/header.test.ts': 'function parseHeader() {\n}\n',
  'a/node_modules/header.ts': 'export function parseHeader() {\n}\n',
  'c.go':
    'package c\n\nconst (\n\tMaxSize = 1\n)\n\nfunc (r *Reader) Read(p []byte) int {\n\treturn MaxSize\n}\n',
  'c.h': `#define LONG_MACRO(a) ${'a + '.repeat(100)}a\ntypedef struct {\n  int a;\n} pair_t;\n`,
  'notes.md': '# parseHeader\n\nHow parseHeader works.\n',
};

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
  for (const [name, text] of Object.entries(files)) context.world.source.set(name, text);
  await sync(context.engine);
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

/** Returns `PATH:FROM-TO KIND` of each definition. */
async function defined(engine: Engine, query: SymbolsQuery): Promise<string[]> {
  const { definitions } = await engine.symbols(query);
  return definitions.map(
    ({ source, lines, kind }) => `${source.slice(root.length + 1)}:${lines.join('-')} ${kind}`,
  );
}

test('returns definitions best first, and then the lines that use the name', async ({ engine }) => {
  const answer = await engine.symbols({ name: 'parseHeader' });
  assert.is(answer.name, 'parseHeader');
  assert.equal(answer.definitions[0], {
    source: `${root}/b/header.ts`,
    lines: [2, 6],
    signature: 'export function parseHeader(text: string): number {',
    kind: 'function',
    language: 'typescript',
  });
  assert.is(answer.definitions.length, 3);
  const used = answer.references.map(
    ({ source, line }) => `${source.slice(root.length + 1)}:${line}`,
  );
  assert.equal(used.toSorted(), [
    'a/use.ts:1',
    'a/use.ts:3',
    'b/header.ts:1',
    'notes.md:1',
    'notes.md:3',
  ]);
  const call = answer.references.find(
    ({ source, line }) => source.endsWith('use.ts') && line === 3,
  );
  assert.is(call?.text, '  parseHeader();');
  assert.equal([answer.truncated, answer.next], [false, null]);
});

test('accepts signatures and questions, and the class of a method', async ({ engine }) => {
  const header = ['b/header.ts:2-6 function'];
  for (const name of ['func parseHeader', 'parseHeader()', 'where is parseHeader defined?'])
    assert.equal(await defined(engine, { name, limit: 1 }), header, name);
  assert.equal(await defined(engine, { name: 'Door.open' }), ['b/header.ts:13-13 method']);
  assert.equal(await defined(engine, { name: 'open' }), [
    'b/header.ts:9-9 method',
    'b/header.ts:13-13 method',
  ]);
  assert.equal(await defined(engine, { name: 'func (r *Reader) Read' }), ['c.go:7-9 method']);
});

test('finds grouped constants, long macros and type definitions', async ({ engine }) => {
  assert.equal(await defined(engine, { name: 'MaxSize' }), ['c.go:4-4 variable']);
  assert.equal(await defined(engine, { name: 'LONG_MACRO' }), ['c.h:1-1 macro']);
  assert.equal(await defined(engine, { name: 'pair_t' }), ['c.h:2-4 type']);
});

test('uses another case only if no definition has the exact one', async ({ engine, world }) => {
  assert.equal(await defined(engine, { name: 'box' }), ['b/header.ts:8-10 class']);
  world.source.set('box.ts', 'export function box() {\n}\n');
  await sync(engine);
  assert.equal(await defined(engine, { name: 'box' }), ['box.ts:1-2 function']);
});

test('limits the path, the definitions and the references', async ({ engine }) => {
  assert.equal(await defined(engine, { name: 'parseHeader', path: `${root}/a/test` }), [
    'a/test/header.test.ts:1-2 function',
  ]);
  const one = await engine.symbols({ name: 'parseHeader', limit: 1, references: 0 });
  assert.equal([one.definitions.length, one.references.length, one.truncated], [1, 0, true]);
  const error = await rejection(() => engine.symbols({ name: 'x', path: 'memory://none/a' }));
  assert.is(error.code, 'not_found');
  assert.is((await rejection(() => engine.symbols({ name: '???' }))).code, 'validation_error');
});

test('pages of references have every line once', async ({ engine }) => {
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const query = { name: 'parseHeader', references: 2, ...(cursor ? { cursor } : {}) };
    const { references, next, definitions } = await engine.symbols(query);
    assert.is(definitions.length, pages === 0 ? 3 : 0);
    seen.push(...references.map(({ source, line }) => `${source}:${line}`));
    cursor = next ?? undefined;
    pages++;
  } while (cursor !== undefined && pages < 20);
  assert.is(new Set(seen).size, 5);
  assert.is(seen.length, 5);
});

test('reads current texts, and objects that the index does not know', async ({ engine, world }) => {
  world.source.set('b/header.ts', '\n\nexport function parseHeader() {\n}\n');
  assert.equal(await defined(engine, { name: 'parseHeader', limit: 1 }), [
    'b/header.ts:3-4 function',
  ]);
  assert.equal(await defined(engine, { name: 'Box' }), []);
});

test('does not block the event loop', async ({ engine, world }) => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `function name${at}() {\n}`);
  world.source.set('large.ts', `${lines.join('\n')}\nfunction lastName() {\n}\n`);
  await sync(engine);
  const turns = new EventLoopCounter();
  const answer = await engine.symbols({ name: 'lastName' });
  assert.is(answer.definitions.length, 1);
  assert.ok(turns.end() > 50, 'the event loop kept running');
});

test.run();
