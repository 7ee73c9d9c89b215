import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { splitAt, splitAtNul } from '../src/split.js';
import { collect } from '../../../scripts/test-support/collect.js';

const test = suite('git connector, parts of a stream');

async function* inPieces(text: string, length: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += length) yield Buffer.from(text.slice(at, at + length));
}

async function texts(parts: AsyncIterable<Buffer>): Promise<string[]> {
  return (await collect(parts)).map(String);
}

test('parts are the same however the stream is cut', async () => {
  const separator = Buffer.from('aab');
  for (let length = 1; length < 12; length++) {
    const pieces = inPieces('oneaaabtwoaabaaaabaa', length);
    assert.equal(await texts(splitAt(separator, pieces, 100)), ['onea', 'two', 'aa', 'aa']);
    assert.equal(await texts(splitAtNul(inPieces('one\0\0three\0', length))), ['one', '', 'three']);
  }
});

test('of a long part only the beginning is kept', async () => {
  const pieces = inPieces(`${'x'.repeat(1000)}|${'y'.repeat(3)}`, 7);
  assert.equal(await texts(splitAt(Buffer.from('|'), pieces, 5)), ['xxxxx', 'yyy']);
});

test.run();
