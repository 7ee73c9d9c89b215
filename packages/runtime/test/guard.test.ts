// test-waits
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { withTimeout, maxWaitMs } from '@trove/test-support/waiting.js';
import { DisposalStack } from '../src/disposal.js';
import type { GuardOptions } from '../src/plugins/guard.js';
import { testGuard } from './support/test-guard.js';
import { KnownSecrets } from '../src/plugins/known-secrets.js';
import { redact, variantsOf } from '../src/plugins/redact.js';
import { createRedactingLogger } from '../src/plugins/redacting-logger.js';

const test = suite('the guard');
const { signal } = new AbortController();

test('starts once for concurrent calls', async () => {
  let starts = 0;
  const held = testGuard({ start: async () => ({ value: ++starts }) });
  const values = await Promise.all(
    Array.from({ length: 5 }, () => held.call('read', 1000, signal, ({ value }) => value)),
  );
  assert.equal(values, [1, 1, 1, 1, 1]);
});

test('starts again after a failed start', async () => {
  let starts = 0;
  const held = testGuard({
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

test('limits the time of each call and names the plugin and the method', async () => {
  const error = await rejection(() =>
    testGuard().call('read', 20, signal, () => new Promise<never>(() => {})),
  );
  assert.is(error.code, 'timed_out');
  assert.match(error.message, 'connector test: read');
});

test('a hanging start times out like a call, and ends with an abort', async () => {
  const held = testGuard({ start: () => new Promise<never>(() => {}) });
  const late = await rejection(() => held.call('read', 20, signal, () => 1));
  assert.is(late.code, 'timed_out');
  const listing = held.iterate('list', 20, signal, async function* () {});
  assert.is((await rejection(() => listing.next())).code, 'timed_out');
  const controller = new AbortController();
  const work = held.call('read', 60_000, controller.signal, () => 1);
  controller.abort(new TroveError('cancelled', 'stopped by the test'));
  assert.is((await rejection(() => work)).code, 'cancelled');
  await held.close();
});

test('a hanging start is abandoned, retried, and closed if it ends later', async () => {
  const finish: ((value: { value: number }) => void)[] = [];
  const closed: number[] = [];
  const held = testGuard({
    startLimitMs: 20,
    start: () => new Promise((resolve) => finish.push(resolve)),
    close: async ({ value }) => void closed.push(value),
  });
  const read = () => held.call('read', 60_000, signal, ({ value }) => value);
  const late = await rejection(read);
  assert.equal([late.code, late.retryable], ['timed_out', true]);
  const again = read();
  finish[1]?.({ value: 2 });
  assert.is(await again, 2);
  finish[0]?.({ value: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(closed, [1]);
  await held.close();
  assert.equal(closed, [1, 2]);
});

test('closing waits neither for a hanging start nor for a hanging close', async () => {
  const starting = testGuard({ start: () => new Promise<never>(() => {}) });
  await rejection(() => starting.call('read', 20, signal, () => 1));
  await starting.close();
  const closing = testGuard({ close: () => new Promise<never>(() => {}) });
  await closing.call('read', 1000, signal, () => 1);
  const error = await rejection(() => closing.close());
  assert.match(error.message, 'connector test: close took longer than');
});

test('closing abandons a hanging call', async () => {
  let closed = false;
  const held = testGuard({ close: async () => void (closed = true) });
  const hanging = held.call('read', 60_000, signal, () => new Promise<never>(() => {}));
  const listing = held.iterate('list', 60_000, signal, async function* () {
    yield 1;
    await new Promise<never>(() => {});
  });
  await listing.next();
  // Otherwise either would keep the process alive until its time limit.
  const given = [hanging, listing.next()].map((work) => rejection(() => work));
  await held.close();
  assert.ok(closed);
  for (const error of await Promise.all(given)) assert.is(error.code, 'engine_closed');
});

test('the limit of a call includes the start', async () => {
  using clock = new ManualClock(10_000);
  let started = (): void => {};
  const starting = new Promise<void>((resolve) => (started = resolve));
  let begun = (): void => {};
  const working = new Promise<void>((resolve) => (begun = resolve));
  const held = testGuard({
    startLimitMs: 200_000,
    start: async () => starting.then(() => ({ value: 1 })),
  });
  const work = held.call('check', 100_000, signal, () => {
    begun();
    return new Promise<never>(() => {});
  });
  const error = rejection(() => work);
  clock.advance(60_000);
  started();
  await working;
  clock.advance(40_000);
  assert.is((await error).code, 'timed_out');
});

test('an iterator whose end hangs does not block its user', async () => {
  const held = testGuard();
  const items = held.iterate('list', 1000, signal, async function* () {
    try {
      for (let i = 0; ; i++) yield i;
    } finally {
      await new Promise<never>(() => {});
    }
  });
  for await (const item of items) {
    assert.is(item, 0);
    break;
  }
  await held.close();
});

test('reports results that are not iterable and thrown non-errors', async () => {
  for (const [wrong, what] of [
    [undefined, 'undefined'],
    [7, 'a value of type number'],
    [['a'], 'an array'],
    [{ next: 1 }, 'a value of type object'],
    [Promise.reject(new Error('never handled')), 'a promise'],
  ] as const) {
    const items = testGuard().iterate('list', 1000, signal, () => wrong as never);
    const error = await rejection(() => items.next());
    assert.equal(
      [error.code, error.message],
      [
        'plugin_invalid',
        `connector test: list must return an async iterable, such as an async generator, not ${what}`,
      ],
    );
  }
  const thrown = (what: unknown) =>
    rejection(() =>
      testGuard().call('read', 1000, signal, async () => {
        throw what;
      }),
    );
  const { message } = await thrown({ status: 429, body: { reason: 'busy' } });
  assert.is(message, "connector test: read failed: { status: 429, body: { reason: 'busy' } }");
  const hostile = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('do not look');
    },
  });
  assert.is((await thrown(hostile)).code, 'connector_unhealthy');
});

test('long messages are shortened before processing', async () => {
  const secret = 'a-long-and-distinctive-secret';
  const held = testGuard({ secrets: [secret] });
  const kept: unknown[] = [];
  const before = inUse();
  for (let n = 0; n < 8; n++) {
    const say = (): never => {
      const word = n % 2 === 0 ? secret : 'nothing secret';
      throw new Error(`${word} ${'x'.repeat(10_000_000)}`, { cause: 'y'.repeat(10_000_000) });
    };
    kept.push(await held.call('read', 1000, signal, say).catch((error: unknown) => error));
  }
  assert.ok(inUse() - before < 50_000_000, `${inUse() - before} bytes are kept`);
  for (const error of kept) {
    assert.match(String(error), /failed: (\*\*\*|nothing secret) x/);
    assert.ok(inspect(error).length < 20_000);
  }
  for (let at = 9960; at <= 10_010; at++) {
    const said = held.redact(`${'x'.repeat(at)}${secret}${'x'.repeat(100)}`);
    assert.not.match(said, /a-lo|[*]{3}ecret/, String(at));
  }
});

test('its secrets stay known while it is open and some time after', async () => {
  const known = new KnownSecrets();
  const held = testGuard({ secrets: ['first-secret'], knownSecrets: known });
  assert.is(known.redact('the first-secret'), 'the ***');
  await held.close();
  assert.is(known.redact('the first-secret'), 'the ***');
  for (let n = 0; n < 100; n++)
    await testGuard({ secrets: [`another-${n}-`], knownSecrets: known }).close();
  assert.is(known.redact('the first-secret, another-99-'), 'the first-secret, ***');
  await testGuard({ secrets: ['x'.repeat(20_000)], knownSecrets: known }).close();
  assert.is(known.redact('another-0-'), '***');
});

test('a secret that starts with another one is removed completely', () => {
  const variants = variantsOf(['s3cret', 's3cret-of-two', 's3cret-of']);
  assert.is(redact('s3cret-of-two s3cret-of s3cret', variants), '*** *** ***');
});

test('log entries of a plugin contain no secrets at any depth', () => {
  const lines: unknown[] = [];
  const write = (message: string, fields?: object): void => void lines.push({ message, fields });
  const logger = { debug: write, info: write, warn: write, error: write };
  const redacting = createRedactingLogger(logger, (text) => redact(String(text), ['s3cret']));
  const error = new TypeError('s3cret', { cause: new Error('s3cret') });
  error.name = 'No s3cret';
  for (const level of ['debug', 'info', 'warn', 'error'] as const) {
    redacting[level]('the s3cret', { text: 's3cret', list: ['a', { in: 's3cret' }], error });
    redacting[level]('a deep one', { at: { the: { end: { of: { it: { all: 's3cret' } } } } } });
  }
  const said = inspect(lines, { depth: 20, showHidden: true });
  assert.not.match(said, 's3cret');
  assert.is(lines.length, 8);
  assert.match(said, "text: '***'");
});

/** Number of bytes of live objects. */
function inUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

test('a source cannot use codes of the server, and its messages are limited', async () => {
  const fail = (error: unknown, errorCode: GuardOptions<never>['errorCode']) =>
    rejection(() =>
      testGuard({ errorCode }).call('read', 1000, signal, async () => {
        throw error;
      }),
    );
  const closed = new TroveError('engine_closed', 'x'.repeat(5000), { retryAfterMs: NaN });
  const inner = new TroveError('internal_error', 'The plugin says so');
  assert.is((await fail(inner, 'connector_unhealthy')).code, 'connector_unhealthy');
  const ofSource = await fail(closed, 'connector_unhealthy');
  assert.is(ofSource.code, 'connector_unhealthy');
  assert.ok(ofSource.message.length < 2100);
  assert.is(ofSource.retryAfterMs, undefined);
  assert.is((await fail(closed, 'storage_unavailable')).code, 'engine_closed');
  const ofEmbedder = await fail(closed, 'internal_error');
  assert.equal([ofEmbedder.code, ofEmbedder.retryable], ['internal_error', false]);
});

test('secrets are removed from messages, suggestions and causes', async () => {
  const secret = 's3cret/value+"x"';
  const held = testGuard({ secrets: variantsOf([secret]) });
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify({ secret }),
    Buffer.from(secret).toString('base64'),
  ];
  for (const form of forms) {
    const cause = Object.assign(new Error(`GET /?key=${form}`), { headers: { auth: form } });
    for (const thrown of [
      cause,
      new TroveError('not_found', `no ${form}`, { cause, suggestions: [`use ${form}`] }),
    ]) {
      const error = await rejection(() =>
        held.call('read', 1000, signal, async () => {
          throw thrown;
        }),
      );
      const said = inspect(error, { depth: 9, showHidden: true });
      assert.not.ok(said.includes(form), said);
      assert.match(said, '***');
    }
  }
});

test('ENOENT is not_found from a source, and a failure from other plugins', async () => {
  const missing = async (): Promise<never> => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
  const codeOf = async (held: ReturnType<typeof testGuard>) =>
    (await rejection(() => held.call('read', 1000, signal, missing))).code;
  assert.is(await codeOf(testGuard()), 'not_found');
  assert.is(await codeOf(testGuard({ errorCode: 'storage_unavailable' })), 'storage_unavailable');
});

test('an iteration that is aborted closes the iterator', async () => {
  const controller = new AbortController();
  let closed = false;
  const numbers = testGuard().iterate('list', 1000, controller.signal, async function* () {
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

test('an abort during a turn of the event loop ends an iteration', async () => {
  const controller = new AbortController();
  const listing = testGuard().iterate('list', 2 * maxWaitMs, controller.signal, async function* () {
    const began = Date.now();
    while (Date.now() - began < 20);
    setImmediate(() => controller.abort(new TroveError('cancelled', 'stopped by the test')));
    yield 1;
    await new Promise<never>(() => {});
  });
  await listing.next();
  const late = rejection(() => listing.next());
  assert.is((await withTimeout(late, 'the iteration')).code, 'cancelled');
});

test('passes an abort on at once', async () => {
  const controller = new AbortController();
  const work = testGuard().call(
    'read',
    60_000,
    controller.signal,
    () => new Promise<never>(() => {}),
  );
  controller.abort(new TroveError('cancelled', 'stopped by the test'));
  assert.is((await rejection(() => work)).code, 'cancelled');
});

test('closes once after the calls in flight, and refuses later calls', async () => {
  const order: string[] = [];
  let finish: () => void = () => {};
  const held = testGuard({
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

test('errors keep our codes, also from plain JavaScript, and lose secrets', async () => {
  const held = testGuard({ secrets: ['s3cret-value'] });
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

test('an early return closes the iterator', async () => {
  let closed = false;
  const held = testGuard();
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

test('resources are closed in reverse order, despite errors', async () => {
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
