import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DisposalStack } from '../src/lifecycle/disposal.js';
import { Guard, type GuardOptions } from '../src/plugins/guard.js';
import { rejection } from './support/rejection.js';

const test = suite('the guard');
const { signal } = new AbortController();

function guard(options: Partial<GuardOptions<{ value: number }>> = {}): Guard<{ value: number }> {
  return new Guard({
    name: 'connector test',
    errorCode: 'connector_unhealthy',
    secrets: [],
    start: async () => ({ value: 1 }),
    close: async () => {},
    ...options,
  });
}

test('starts once, however many call at the same time', async () => {
  let starts = 0;
  const held = guard({ start: async () => ({ value: ++starts }) });
  const values = await Promise.all(
    Array.from({ length: 5 }, () => held.call('read', 1000, signal, ({ value }) => value)),
  );
  assert.equal(values, [1, 1, 1, 1, 1]);
});

test('forgets a failed start', async () => {
  let starts = 0;
  const held = guard({
    start: async () => {
      if (++starts === 1) throw new Error('the network is down');
      return { value: starts };
    },
  });
  const error = await rejection(() => held.call('read', 1000, signal, ({ value }) => value));
  assert.equal([error.code, error.retryable], ['connector_unhealthy', true]);
  assert.match(error.message, 'the network is down');
  assert.is(await held.call('read', 1000, signal, ({ value }) => value), 2);
});

test('bounds each call in time, and names the plugin and the method', async () => {
  const error = await rejection(() =>
    guard().call('read', 20, signal, () => new Promise<never>(() => {})),
  );
  assert.is(error.code, 'timed_out');
  assert.match(error.message, 'connector test: read');
});

test('a start that hangs is bounded like a call, and ends with an abort', async () => {
  const held = guard({ start: () => new Promise<never>(() => {}) });
  const late = await rejection(() => held.call('read', 20, signal, () => 1));
  assert.is(late.code, 'timed_out');
  const listing = held.iterate('list', 20, signal, async function* () {});
  assert.is((await rejection(() => listing.next())).code, 'timed_out');
  const controller = new AbortController();
  const work = held.call('read', 60_000, controller.signal, () => 1);
  controller.abort(new TroveError('cancelled', 'stopped by the test'));
  assert.is((await rejection(() => work)).code, 'cancelled');
});

test('a missing file is not_found of a source alone: of an index or an embedder it is a failure', async () => {
  const missing = async (): Promise<never> => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
  const codeOf = async (held: ReturnType<typeof guard>) =>
    (await rejection(() => held.call('read', 1000, signal, missing))).code;
  assert.is(await codeOf(guard()), 'not_found');
  assert.is(await codeOf(guard({ errorCode: 'storage_unavailable' })), 'storage_unavailable');
});

test('an iteration that is aborted closes the iterator', async () => {
  const controller = new AbortController();
  let closed = false;
  const numbers = guard().iterate('list', 1000, controller.signal, async function* () {
    try {
      for (let i = 0; ; i++) yield i;
    } finally {
      closed = true;
    }
  });
  await numbers.next();
  controller.abort(new TroveError('cancelled', 'stopped by the test'));
  assert.is((await rejection(() => numbers.next())).code, 'cancelled');
  assert.ok(closed);
});

test('passes an abort on at once', async () => {
  const controller = new AbortController();
  const work = guard().call('read', 60_000, controller.signal, () => new Promise<never>(() => {}));
  controller.abort(new TroveError('cancelled', 'stopped by the test'));
  assert.is((await rejection(() => work)).code, 'cancelled');
});

test('closes once, after the calls in flight, and refuses calls from then on', async () => {
  const order: string[] = [];
  let finish: () => void = () => {};
  const held = guard({
    close: async () => {
      order.push('closed');
    },
  });
  const call = held.call('read', 60_000, signal, async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    order.push('called');
  });
  await new Promise((resolve) => setImmediate(resolve));
  const closing = [held.close(), held.close()];
  assert.is(
    (await rejection(() => held.call('read', 1000, signal, () => 1))).code,
    'engine_closed',
  );
  finish();
  await Promise.all([call, ...closing]);
  assert.equal(order, ['called', 'closed']);
});

test('errors keep codes of ours, also from plain JavaScript, and lose secrets', async () => {
  const held = guard({ secrets: ['s3cret-value'] });
  const fail = (error: unknown) =>
    rejection(() =>
      held.call('read', 1000, signal, async () => {
        throw error;
      }),
    );
  const coded = await fail(
    new TroveError('not_found', 'no s3cret-value here', { retryAfterMs: 5 }),
  );
  assert.equal([coded.code, coded.message, coded.retryAfterMs], ['not_found', 'no *** here', 5]);
  const plain = await fail(Object.assign(new Error('s3cret-value'), { code: 'is_directory' }));
  assert.equal([plain.code, plain.message], ['is_directory', 'connector test: read failed: ***']);
  assert.is((await fail('only a text')).code, 'connector_unhealthy');
});

test('an iteration that its user ends early closes the iterator', async () => {
  let closed = false;
  const held = guard();
  const items = held.iterate('list', 1000, signal, async function* () {
    try {
      yield 1;
      yield 2;
    } finally {
      closed = true;
    }
  });
  for await (const item of items) {
    assert.is(item, 1);
    break;
  }
  assert.ok(closed);
  await held.close();
});

test('what was opened is closed last in first out, one by one, an error notwithstanding', async () => {
  const order: string[] = [];
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const stack = new DisposalStack(log);
  stack.add('first', () => void order.push('first'));
  stack.add('second', () => Promise.reject(new Error('stuck')));
  stack.add('third', async () => void order.push('third'));
  const error = await stack.dispose(1000).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof AggregateError);
  assert.equal(order, ['third', 'first']);
});

test.run();
