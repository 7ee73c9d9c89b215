import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { blocksOf } from '../src/sources/uploads/archive/blocks.js';
import { TaskInbox } from '../src/sources/uploads/task-inbox.js';

const test = suite('pieces of an archive');

test('the parser gets all blocks whole, however the archive is split', async () => {
  const archive = Uint8Array.from({ length: 5 * 512 }, (_, at) => at % 251);
  for (const size of [1, 100, 511, 512, 513, 1000, 1024, 2000, 10_000]) {
    async function* pieces() {
      for (let at = 0; at < archive.length; at += size) {
        const piece = archive.slice(at, at + size);
        yield piece;
        // A piece is valid only until the next read.
        piece.fill(0);
      }
      yield new Uint8Array(100);
    }
    const got: number[] = [];
    for await (const blocks of blocksOf(pieces())) {
      assert.is(blocks.length % 512, 0, `pieces of ${size}`);
      got.push(...blocks);
    }
    assert.equal(got, [...archive], `pieces of ${size}`);
  }
});

test('a piece is freed and acknowledged at the next read', async () => {
  let taken = 0;
  const inbox = new TaskInbox((message) => void (taken += 'taken' in message ? 1 : 0));
  const first = new Uint8Array(10);
  inbox.put({ piece: first });
  inbox.put({ piece: null });
  for await (const piece of inbox.bytes()) {
    assert.is(piece, first);
    assert.equal([first.length, taken], [10, 0]);
  }
  assert.equal([first.length, taken], [0, 1]);
});

test.run();
