import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { parseGrepOutput } from '../src/grep-output.js';
import { splitAt, splitAtNul } from '../src/split.js';

const test = suite('git connector, splitting streams');

async function* inPieces(text: string, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += length) yield Buffer.from(text.slice(at, at + length));
}

async function texts(parts: AsyncIterable<Buffer>): Promise<string[]> {
  return (await collect(parts)).map(String);
}

test('splits a stream independent of its pieces', async () => {
  const separator = Buffer.from('aab');
  for (let length = 1; length < 12; length++) {
    const pieces = inPieces('oneaaabtwoaabaaaabaa', length);
    assert.equal(await texts(splitAt(separator, pieces, 100)), ['onea', 'two', 'aa', 'aa']);
    assert.equal(await texts(splitAtNul(inPieces('one\0\0three\0', length))), ['one', '', 'three']);
  }
});

test('keeps only the beginning of a long part', async () => {
  const pieces = inPieces(`${'x'.repeat(1000)}|${'y'.repeat(3)}`, 7);
  assert.equal(await texts(splitAt(Buffer.from('|'), pieces, 5)), ['xxxxx', 'yyy']);
});

test('parses grep output independent of its pieces, dropping long lines', async () => {
  const long = 'x'.repeat(50);
  const lines = [
    ['id:a', 7, 3, 'short'],
    ['id:b\nc', 12, 1, long],
    ['id:d', 1, 2, '\0'],
  ];
  const printed = lines.map((line) => `${line.join('\0')}\n`).join('');
  for (let length = 1; length < 80; length++) {
    const found = await collect(parseGrepOutput(inPieces(printed, length), 3, 30));
    assert.equal(
      found.map(({ path, line, column, bytes }) => [path, line, column, String(bytes)]),
      [
        ['a', 7, 3, 'short'],
        ['b\nc', 12, 1, 'null'],
        ['d', 1, 2, '\0'],
      ],
      String(length),
    );
  }
  let most = 0;
  async function* endless(): AsyncGenerator<Buffer> {
    yield Buffer.from(['id:a', 1, 1, ''].join('\0'));
    for (let piece = 0; piece < 4000; piece++) {
      yield Buffer.alloc(64 * 1024, 'x');
      most = Math.max(most, process.memoryUsage().arrayBuffers);
    }
    yield Buffer.from('\n');
  }
  const before = process.memoryUsage().arrayBuffers;
  const [only, ...more] = await collect(parseGrepOutput(endless(), 3, 1024 * 1024));
  assert.is(only?.bytes, null);
  assert.equal(more, []);
  assert.ok(most - before < 130e6, String(most - before));
});

test.run();
