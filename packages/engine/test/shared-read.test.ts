import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { shareReads } from '../src/sources/connectors/shared-read.js';

const test = suite('shared reads');

/** Reads a growing value when the test allows it. */
function source() {
  const under: { readonly end: (error?: Error) => void }[] = [];
  let value = 0;
  const read = (): Promise<number> => {
    const seen = value;
    return new Promise((resolve, reject) => {
      under.push({ end: (error) => (error === undefined ? resolve(seen) : reject(error)) });
    });
  };
  return { under, write: () => void value++, shared: shareReads(read) };
}

test('callers during a read share the next one', async () => {
  const { under, write, shared } = source();
  const first = shared();
  write();
  const second = shared();
  const third = shared();
  assert.is(under.length, 1);
  under[0]?.end();
  assert.is(await first, 0);
  assert.is(under.length, 2);
  write();
  const fourth = shared();
  under[1]?.end();
  assert.equal(await Promise.all([second, third]), [1, 1]);
  assert.is(under.length, 3);
  under[2]?.end();
  assert.is(await fourth, 2);
});

test('a single caller reads immediately', async () => {
  const { under, shared } = source();
  for (let at = 0; at < 3; at++) {
    const read = shared();
    assert.is(under.length, at + 1);
    under[at]?.end();
    await read;
  }
});

test('a failed read does not fail the next one', async () => {
  const { under, shared } = source();
  const first = shared();
  const second = shared();
  under[0]?.end(new Error('the disk'));
  assert.is(await first.catch((error: unknown) => String(error)), 'Error: the disk');
  under[1]?.end();
  assert.is(await second, 0);
});

test.run();
