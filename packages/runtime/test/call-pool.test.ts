// test-waits
import { getPriority } from 'node:os';

import { isTroveError, TroveError, type Logger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { CallPool, type CallPoolOptions } from '../src/workers/call-pool.js';
import type { WorkerPlugin } from '../src/plugins/worker-plugin.js';

const test = suite('worker threads');

/** The operations of the test module. */
interface Operations {
  readonly thread: { readonly request: object; readonly result: number };
  /** Priority while its module loads, and now. */
  readonly priority: { readonly request: object; readonly result: readonly number[] };
  readonly measure: {
    readonly request: { readonly bytes: Uint8Array<ArrayBuffer> };
    readonly result: { readonly length: number; readonly bytes: Uint8Array };
  };
  readonly count: {
    readonly request: { readonly to: number };
    readonly part: { readonly bytes: Uint8Array };
    readonly result: number;
  };
  readonly wait: { readonly request: { readonly ms: number }; readonly result: number };
  readonly spin: { readonly request: object; readonly result: number };
  readonly die: { readonly request: object; readonly result: number };
  readonly refuse: { readonly request: { readonly plain: boolean }; readonly result: number };
  readonly drop: { readonly request: object; readonly result: number };
  readonly convert: { readonly request: { readonly text: string }; readonly result: string };
}

interface Setup {
  readonly converter: WorkerPlugin<'converter'> | null;
}

async function withPool(
  size: number,
  use: (pool: CallPool<Operations>, log: string[]) => Promise<void>,
  setup: Setup = { converter: null },
  options: Partial<Pick<CallPoolOptions<Operations>, 'callsPerThread' | 'isAwaited'>> = {},
): Promise<void> {
  const log: string[] = [];
  const write: Logger['info'] = (message, fields) =>
    void log.push(`${message} ${JSON.stringify(fields)}`);
  const pool = new CallPool<Operations>({
    module: new URL('./support/thread.mjs', import.meta.url),
    setup,
    size,
    heapMiB: 256,
    ...options,
    logger: { debug: write, info: write, warn: write, error: write },
    transferListOf: (request) => ('bytes' in request ? [request.bytes.buffer] : []),
  });
  try {
    await use(pool, log);
  } finally {
    await pool.close();
  }
}

test('calls are spread over at most the maximum number of threads', () =>
  withPool(2, async (pool) => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, at) => pool.run('wait', { ms: at < 2 ? 50 : 0 })),
    );
    assert.is(new Set(ids).size, 2);
  }));

test('threads have low priority from their start unless they are awaited', async () => {
  const priorityOf = async (isAwaited: boolean): Promise<number[]> => {
    const found: number[] = [];
    const ask = async (pool: CallPool<Operations>): Promise<void> =>
      void found.push(...(await pool.run('priority', {})));
    await withPool(1, ask, undefined, { isAwaited });
    return found;
  };
  const own = getPriority();
  assert.equal(await priorityOf(true), [own, own]);
  assert.ok((await priorityOf(false)).every((priority) => priority > own));
});

test('buffers are transferred in both directions, not copied', () =>
  withPool(1, async (pool) => {
    const memory = new TextEncoder().encode('......apples......');
    const sending = pool.run('measure', { bytes: memory.subarray(6, 12) });
    assert.is(memory.length, 0);
    const result = await sending;
    assert.is(result.length, 6);
    assert.is(Buffer.from(result.bytes).toString(), 'apples');
  }));

test('each call receives its parts in order, before its result', () =>
  withPool(1, async (pool) => {
    const count = async (to: number) => {
      const parts: number[] = [];
      const result = await pool.run(
        'count',
        { to },
        { onPart: ({ bytes }) => parts.push(...bytes) },
      );
      return [...parts, result];
    };
    assert.equal(await Promise.all([count(3), count(1), count(2)]), [[1, 2, 3], [1], [1, 2]]);
    assert.is(await pool.run('count', { to: 2 }), 2, 'nobody need take them');
  }));

test('a coded error keeps its members; others become internal errors', () =>
  withPool(1, async (pool) => {
    const coded = await rejection(() => pool.run('refuse', { plain: false }));
    assert.equal(
      [coded.code, coded.message, coded.suggestions, coded.retryable, coded.retryAfterMs],
      ['embedding_quota_exceeded', 'no more', ['Wait a day.'], true, 5000],
    );
    const plain = await rejection(() => pool.run('refuse', { plain: true }));
    assert.equal([plain.code, plain.retryable], ['internal_error', false]);
    assert.match(plain.message, 'out of range');
  }));

test('a request that cannot be cloned fails only its own call', () =>
  withPool(1, async (pool) => {
    const error = await rejection(() => pool.run('thread', { call: () => 1 }));
    assert.match(error.message, 'could not be sent');
    assert.type(await pool.run('thread', {}), 'number');
  }));

test('calls of a dead thread fail as retryable, and another replaces it', () =>
  withPool(1, async (pool, log) => {
    const first = await pool.run('thread', {});
    const [dead, beside] = await Promise.all([
      rejection(() => pool.run('die', {})),
      rejection(() => pool.run('wait', { ms: 60_000 })),
    ]);
    assert.equal([dead.code, dead.retryable], ['internal_error', true]);
    assert.equal([beside.code, beside.retryable], ['internal_error', true]);
    assert.is.not(await pool.run('thread', {}), first);
    assert.ok(log.some((line) => line.includes('was lost')));
  }));

test('the last idle thread for callers stays for some time', () =>
  withPool(
    2,
    async (pool) => {
      using clock = new ManualClock(1500);
      const both = await Promise.all([pool.run('thread', {}), pool.run('thread', {})]);
      assert.is(new Set(both).size, 2);
      clock.advance(2000);
      const kept = await pool.run('thread', {});
      assert.ok(both.includes(kept));
      clock.advance(2000);
      clock.advance(100_000);
      assert.is(await pool.run('thread', {}), kept);
      clock.advance(2000);
      clock.advance(120_000);
      assert.is.not(await pool.run('thread', {}), kept);
    },
    undefined,
    { isAwaited: true },
  ));

test('an idle thread with many calls behind it ends sooner', () =>
  withPool(1, async (pool) => {
    using clock = new ManualClock(150);
    const calls = (count: number) =>
      Promise.all(Array.from({ length: count }, () => pool.run('thread', {})));
    const [first] = await calls(999);
    clock.advance(200);
    assert.is((await calls(1))[0], first);
    clock.advance(200);
    assert.is.not((await calls(1))[0], first);
  }));

test('an idle background thread outlasts the pauses of its work, then ends', () =>
  withPool(1, async (pool) => {
    using clock = new ManualClock(1500);
    const first = await pool.run('thread', {});
    clock.advance(4000);
    assert.is(await pool.run('thread', {}), first);
    clock.advance(5000);
    assert.is.not(await pool.run('thread', {}), first);
  }));

test('a call that ends its thread fails no other with one call per thread', () =>
  withPool(
    1,
    async (pool) => {
      const ended = pool.run('die', {}).catch(() => 'failed');
      const others = [1, 2, 3].map(() => pool.run('wait', { ms: 0 }));
      assert.is(await ended, 'failed');
      assert.is(new Set(await Promise.all(others)).size, 1);
    },
    undefined,
    { callsPerThread: 1 },
  ));

test('an aborted call soon frees its thread', () =>
  withPool(1, async (pool) => {
    const first = await pool.run('thread', {});
    const controller = new AbortController();
    const { signal } = controller;
    const unwanted = Array.from({ length: 6 }, () =>
      rejection(() => pool.run('wait', { ms: 60_000 }, { signal })),
    );
    // One call is running when this one arrives.
    const next = pool.run('thread', {});
    controller.abort(new TroveError('cancelled', 'no longer'));
    for (const { code } of await Promise.all(unwanted)) assert.is(code, 'cancelled');
    assert.is.not(await next, first);
  }));

test('each part restarts the limit if the call asks for that', () =>
  withPool(1, async (pool) => {
    using clock = new ManualClock(1000);
    const onPart = (): void => clock.advance(3000);
    const count = (maxTotalMs: number) =>
      pool.run('count', { to: 10 }, { limitMs: 4000, maxTotalMs, onPart });
    assert.is(await count(60_000), 10);
    assert.is((await rejection(() => count(2000))).code, 'timed_out');
    assert.is((await rejection(() => count(0))).code, 'timed_out');
  }));

test('a late call ends with its thread; calls behind it run in another', () =>
  withPool(1, async (pool) => {
    const first = await pool.run('thread', {});
    using clock = new ManualClock(100_000);
    const endless = rejection(() => pool.run('spin', {}, { limitMs: 500_000 }));
    const moved = rejection(() => pool.run('measure', { bytes: new Uint8Array(1) }));
    // Each of these calls arrives while the first one runs, and does not extend its time.
    const behind: Promise<number>[] = [];
    for (let at = 0; at < 5; at++) {
      clock.advance(100_000);
      behind.push(pool.run('thread', {}));
    }
    assert.is((await endless).code, 'timed_out');
    for (const id of await Promise.all(behind)) assert.is.not(id, first);
    // Its bytes are lost with the thread.
    assert.equal([(await moved).code, (await moved).retryable], ['internal_error', true]);
  }));

test('an unhandled error in a thread is logged and fails no call', () =>
  withPool(1, async (pool, log) => {
    const id = await pool.run('drop', {});
    assert.is(await pool.run('thread', {}), id);
    assert.match(log.join('\n'), 'nobody awaits this');
    assert.not.match(log.join('\n'), 'was lost');
  }));

test('a closed pool fails its calls and accepts no others', async () => {
  let flying: Promise<unknown> | undefined;
  let closed: CallPool<Operations> | undefined;
  await withPool(1, async (pool) => {
    flying = pool.run('spin', {}).catch((error: unknown) => error);
    closed = pool;
    await pool.close();
  });
  const error = await flying;
  assert.ok(isTroveError(error) && error.code === 'engine_closed');
  assert.is((await rejection(async () => closed?.run('thread', {}))).code, 'engine_closed');
});

/** A converter with a worker module, as an operator may have installed it. */
const module = `data:text/javascript,${encodeURIComponent(`
  export default {
    kind: 'converter', apiVersion: 1, keys: ['text/x-test'],
    configSchema: { type: 'object', properties: { secret: { type: 'string', writeOnly: true } } },
    create: ({ config }) => ({
      version: '1',
      async convert({ bytes }) {
        const text = new TextDecoder().decode(bytes);
        if (text.includes('damaged')) throw new Error('cannot read it with ' + config.secret);
        return { markdown: '# ' + text };
      },
    }),
  };
`)}`;
const converter = {
  kind: 'converter',
  key: 'text/x-test',
  module,
  config: { secret: 'open-sesame' },
} as const;

test('a converter runs in a thread, behind the guard', () =>
  withPool(
    1,
    async (pool) => {
      assert.is(await pool.run('convert', { text: 'apples' }), '# apples');
      const error = await rejection(() => pool.run('convert', { text: 'damaged' }));
      assert.is(error.message, 'converter text/x-test: convert failed: cannot read it with ***');
    },
    { converter },
  ));

test('a module without the requested plugin is reported', () =>
  withPool(
    1,
    async (pool) => {
      const error = await rejection(() => pool.run('convert', { text: 'apples' }));
      assert.is(error.code, 'plugin_invalid');
      assert.match(error.message, 'exports no converter for `text/x-other`');
    },
    { converter: { ...converter, key: 'text/x-other' } },
  ));

test('a pool reports its capacity', async () => {
  await withPool(2, async (pool) => assert.is(pool.capacity, 8));
  const alone = { callsPerThread: 1 };
  await withPool(3, async (pool) => assert.is(pool.capacity, 3), undefined, alone);
});

test.run();
