import { decodeText } from '@trove/text/encodings';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { readLastLines } from '../src/content/text-lines.js';
import { root, World } from './support/engine.js';

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('reading parts');

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
});

test.after.each(async ({ engine }) => {
  await engine.close();
});

async function addUnindexed(engine: Engine): Promise<void> {
  const config = { objects: [{ match: '*', indexable: false }] };
  await engine.add({ target: root, config, process: true });
}

test('tail reads only the end of a large text', async ({ world, engine }) => {
  const asked: (number | undefined)[] = [];
  const lines = (count: number, line: string) => `${line}\n`.repeat(count);
  const big = (text: string) => `${lines(60_000, 'a line that is long enough')}${text}`;
  const utf16 = Buffer.from(`\ufeff${lines(500_000, 'x')}last`, 'utf16le');
  const texts = new Map<string, [bytes: Uint8Array, fromEnd: boolean]>([
    ['log.txt', [Buffer.from(big('second to last\nlast')), true]],
    ['ends.txt', [Buffer.from(big('second to last\nlast\n')), true]],
    ['umlauts.txt', [Buffer.from(big(lines(3000, 'ü'.repeat(99)))), true]],
    ['latin1.txt', [Buffer.from(`é\n${big('café')}`, 'latin1'), true]],
    ['late-latin1.txt', [Buffer.from(big('café'), 'latin1'), false]],
    ['utf16.txt', [utf16, false]],
    ['long-line.txt', [Buffer.from(big('x'.repeat(600_000))), true]],
    ['small.txt', [Buffer.from('one\ntwo'), false]],
  ]);
  for (const [path, [bytes]] of texts) world.source.set(path, bytes);
  world.source.set('one-line.txt', 'x'.repeat(6_000_000));
  await addUnindexed(engine);
  world.source.onRead = (_path, range) => void asked.push(range?.start);
  for (const n of [1, 3, 700, 2999, 9000]) {
    for (const [path, [bytes, fromEnd]] of texts) {
      asked.length = 0;
      const pieces = (async function* () {
        yield decodeText(bytes)?.text ?? '';
      })();
      const expected = await readLastLines(pieces, n, 1024 * 1024);
      const { content: found } = await engine.tail({ path: `${root}/${path}`, n });
      assert.ok(found === expected, `${n} lines of ${path}`);
      const wasWhole = asked.includes(undefined);
      assert.is(wasWhole, !fromEnd, `${n} lines of ${path}: read as a whole`);
    }
  }
  const error = await rejection(() => engine.tail({ path: `${root}/one-line.txt`, n: 1 }));
  assert.is(error.code, 'object_too_large_for_cat');
});

test('a byte range returns its complete characters', async ({ world, engine }) => {
  const emoji = '🪡'.repeat(500_000);
  world.source.set('emoji.txt', emoji);
  world.source.set('utf16.txt', Buffer.from('\ufeffa needle', 'utf16le'));
  world.source.set('latin1.txt', Buffer.from('café '.repeat(100), 'latin1'));
  world.source.set('binary.png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  await addUnindexed(engine);
  const bytes = (path: string, range: string): Promise<string> =>
    engine
      .cat({ path: `${root}/${path}`, bytes: range })
      .then((answer) => ('content' in answer ? answer.content : ''));
  assert.is(await bytes('emoji.txt', '1000001:1000013'), '🪡🪡');
  assert.is(await bytes('emoji.txt', '1999996:3000000'), '🪡');
  assert.is(await bytes('emoji.txt', '5000000:5000010'), '');
  assert.is(await bytes('utf16.txt', '3:9'), ' n');
  assert.is(await bytes('latin1.txt', '3:6'), 'é c');
  for (const [path, range, code] of [
    ['emoji.txt', '0:1048577', 'object_too_large_for_cat'],
    ['emoji.txt', '5:5', 'validation_error'],
    ['emoji.txt', '5', 'validation_error'],
    ['binary.png', '0:4', 'not_supported'],
  ] as const) {
    assert.is((await rejection(() => bytes(path, range))).code, code, `${path} ${range}`);
  }
  const both = { path: `${root}/emoji.txt`, bytes: '0:4', range: '1:2' };
  assert.is((await rejection(() => engine.cat(both))).code, 'validation_error');
});

test.run();
