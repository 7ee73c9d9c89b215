import { getEventListeners } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { anySignal, withAnySignal } from '../src/abort.js';

const test = suite('signals');

function listenersOf(...controllers: readonly AbortController[]): number {
  return controllers.reduce(
    (sum, { signal }) => sum + getEventListeners(signal, 'abort').length,
    0,
  );
}

test('a combined signal aborts with the first of its signals and its reason', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal } = anySignal(one.signal, undefined, two.signal);
  assert.not(signal.aborted);
  two.abort('enough');
  one.abort('too late');
  assert.equal([signal.aborted, signal.reason], [true, 'enough']);
});

test('a combined signal of an aborted signal is aborted immediately', () => {
  const { signal } = anySignal(new AbortController().signal, AbortSignal.abort('before'));
  assert.equal([signal.aborted, signal.reason], [true, 'before']);
});

test('an ended or aborted combined signal leaves no listeners', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const joined = anySignal(one.signal, two.signal);
  assert.is(listenersOf(one, two), 2);
  joined.end();
  joined.end();
  one.abort();
  assert.equal([joined.signal.aborted, listenersOf(one, two)], [false, 0]);
  const three = new AbortController();
  anySignal(two.signal, three.signal);
  three.abort();
  assert.is(listenersOf(two, three), 0);
});

test('work keeps its signal until it ends or fails', async () => {
  const one = new AbortController();
  const work = withAnySignal([one.signal], async (signal) => {
    one.abort('stopped');
    return String(signal.reason);
  });
  assert.is(await work, 'stopped');
  const two = new AbortController();
  const failed = withAnySignal([two.signal], async () => {
    assert.is(listenersOf(two), 1);
    throw new RangeError('no');
  });
  assert.is(await failed.catch(String), 'RangeError: no');
  assert.is(listenersOf(two), 0);
});

test.run();
