import type { CatQuery, CatResponse, Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { root, sync, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('lines of cat');
const code = [
  "import { a } from './a.js';",
  '',
  '/** Adds. */',
  'export function add(',
  '  x: number,',
  '): number {',
  '  const sum = x + a;',
  '',
  '  return sum;',
  '}',
  '',
  'export class Box {',
  '  open(): void {',
  '    add(1);',
  '  }',
  '}',
  '',
].join('\n');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
  context.world.source.set('a.txt', 'one\ntwo\nthree\nfour\nfive');
  context.world.source.set('a.ts', code);
  await sync(context.engine);
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

async function cat(engine: Engine, name: string, query: Omit<CatQuery, 'path'>) {
  return (await engine.cat({ path: `${root}/${name}`, ...query })) as CatResponse;
}

test('numbers begin each line as in `cat -n`', async ({ engine, world }) => {
  const whole = await cat(engine, 'a.txt', { numbers: true });
  assert.is(whole.content, '     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour\n     5\tfive');
  const part = await cat(engine, 'a.txt', { numbers: true, range: '2:3' });
  assert.is(part.content, '     2\ttwo\n     3\tthree\n');
  world.source.set('b.txt', 'a\rb\u2028c\n\nd\n');
  const odd = await cat(engine, 'b.txt', { numbers: true });
  assert.is(odd.content, '     1\ta\rb\u2028c\n     2\t\n     3\td\n');
});

test('the answer states its lines', async ({ engine, world }) => {
  const lines = async (query: Omit<CatQuery, 'path'>, name = 'a.txt') =>
    (await cat(engine, name, query)).lines;
  assert.equal(await lines({}), { from: 1, to: 5, total: 5 });
  assert.equal(await lines({ range: '2:3' }), { from: 2, to: 3, total: 5 });
  assert.equal(await lines({ range: '4:' }), { from: 4, to: 5, total: 5 });
  assert.equal(await lines({ range: '9:12' }), { from: 9, to: 8, total: 5 });
  assert.equal(await lines({ locator: '{"lines":[2,3]}' }), { from: 2, to: 3, total: 5 });
  assert.equal(await lines({ locator: '{"lines":[2,2],"chars":[1,2]}' }), {
    from: 2,
    to: 2,
    total: null,
  });
  assert.is(await lines({ bytes: '0:3' }), null);
  assert.is(await lines({ density: 'peek' }, 'a.ts'), null);
  world.source.set('empty.txt', '');
  assert.equal(await lines({}, 'empty.txt'), { from: 1, to: 0, total: 0 });
  const head = await engine.head({ path: `${root}/a.txt`, n: 2 });
  assert.equal(head.lines, { from: 1, to: 2, total: null });
});

test('does not count the lines of a large object', async ({ engine, world }) => {
  world.source.set('large.txt', 'a line of the text\n'.repeat(100_000));
  const { lines, content } = await cat(engine, 'large.txt', { range: '1:1' });
  assert.equal([content, lines], ['a line of the text\n', { from: 1, to: 1, total: null }]);
});

test('context widens a range and a locator of lines', async ({ engine }) => {
  const range = await cat(engine, 'a.txt', { range: '3:3', context: 1 });
  assert.equal([range.content, range.lines], ['two\nthree\nfour\n', { from: 2, to: 4, total: 5 }]);
  const start = await cat(engine, 'a.txt', { range: '1:1', context: 200 });
  assert.equal(start.lines, { from: 1, to: 5, total: 5 });
  const locator = await cat(engine, 'a.txt', {
    locator: '{"lines":[2,2],"chars":[1,2]}',
    context: 1,
  });
  assert.is(locator.content, 'one\ntwo\nthree\n');
});

test('enclosing returns the smallest definition around the first line', async ({ engine }) => {
  const lines = async (query: Omit<CatQuery, 'path'>) => (await cat(engine, 'a.ts', query)).lines;
  const inBody = await cat(engine, 'a.ts', { range: '9:14', enclosing: true });
  assert.is(inBody.enclosed, true);
  assert.equal(inBody.lines, { from: 3, to: 10, total: 16 });
  assert.match(inBody.content, /^\/\*\* Adds[^]*return sum;\n\}\n$/);
  assert.equal(await lines({ locator: '{"lines":[14,14]}', enclosing: true }), {
    from: 13,
    to: 15,
    total: 16,
  });
  assert.equal(await lines({ range: '16:16', enclosing: true }), { from: 12, to: 16, total: 16 });
  const outside = await cat(engine, 'a.ts', { range: '1:2', enclosing: true });
  assert.equal([outside.enclosed, outside.lines], [false, { from: 1, to: 2, total: 16 }]);
  assert.is((await cat(engine, 'a.ts', { range: '1:2' })).enclosed, undefined);
  const numbered = await cat(engine, 'a.ts', {
    range: '14:14',
    enclosing: true,
    numbers: true,
    context: 1,
  });
  assert.is(
    numbered.content,
    '    12\texport class Box {\n    13\t  open(): void {\n    14\t    add(1);\n    15\t  }\n    16\t}\n',
  );
});

test('rejects parameters that do not apply', async ({ engine }) => {
  const failure = async (query: Omit<CatQuery, 'path'>, name = 'a.txt') =>
    (await rejection(() => cat(engine, name, query))).code;
  assert.is(await failure({ context: 1 }), 'validation_error');
  assert.is(await failure({ enclosing: true }), 'validation_error');
  assert.is(await failure({ context: 201, range: '1:1' }), 'validation_error');
  assert.is(await failure({ numbers: true, bytes: '0:2' }), 'validation_error');
  assert.is(await failure({ numbers: true, density: 'peek' }), 'validation_error');
  assert.is(await failure({ enclosing: true, locator: '{"id":1}' }), 'validation_error');
  // The command reads the lines at the end of a name only if there is no object of this name.
  assert.is(await failure({ context: 1 }, 'none.txt'), 'not_found');
});

test.run();
