import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { piecesOf } from '../src/http/body/pieces.js';

const test = suite('pieces of a stream');

test('yields waiting pieces one by one, then ends', async () => {
  const stream = new Readable({ read: () => undefined });
  const sent = ['a', 'bc', 'def'].map((text) => Buffer.from(text));
  for (const piece of sent) stream.push(piece);
  stream.push(null);
  const got: unknown[] = [];
  for await (const piece of piecesOf(stream)) got.push(piece);
  assert.is(got.length, 3);
  sent.forEach((piece, at) => assert.is(got[at], piece));
});

test('reads no more than is consumed', async () => {
  let read = 0;
  const stream = new Readable({
    highWaterMark: 1,
    read() {
      read++;
      this.push(Buffer.alloc(10));
    },
  });
  const pieces = piecesOf(stream);
  for (let taken = 0; taken < 5; taken++) await pieces.next();
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(read <= 7, `${read} reads for 5 pieces`);
  await pieces.return();
  assert.not.ok(stream.destroyed);
  assert.is(stream.listenerCount('data'), 0);
  stream.destroy();
});

test('throws the error that ends a stream early', async () => {
  for (const [reason, said] of [
    [new Error('it is lost'), 'it is lost'],
    [undefined, 'Premature close'],
  ] as const) {
    const stream = new Readable({ read: () => undefined });
    const ended = piecesOf(stream)
      .next()
      .then(() => 'a piece came', String);
    stream.destroy(reason);
    assert.match(await ended, said);
  }
});

test.run();
