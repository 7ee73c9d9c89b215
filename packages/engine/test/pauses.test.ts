import { setImmediate } from 'node:timers/promises';
import { defineConnector, TroveError, type Entry } from '@trove/core';
import type { Engine, JobResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';

const test = suite('sources that ask for a pause');
const target = 'busy://x';
const paths = ['a', 'b', 'c', 'd'];

function tooMany(retryAfterMs: number): TroveError {
  return new TroveError('connector_unhealthy', 'Too many requests', {
    retryable: true,
    retryAfterMs,
  });
}

/** `refuse`: throws when the source refuses a request. */
async function withBusy(
  refuse: (method: 'list' | 'read', at: number) => void,
  use: (engine: Engine, world: World) => Promise<void>,
): Promise<void> {
  const calls = { list: 0, read: 0 };
  const answer = (method: 'list' | 'read'): void => refuse(method, ++calls[method]);
  const plugin = defineConnector({
    keys: ['busy'],
    configSchema: { type: 'object' },
    create: () => ({
      check: async () => ({ ok: true, detail: 'there' }),
      async *list(): AsyncGenerator<Entry> {
        for (const path of paths) {
          answer('list');
          yield { path, size: 5, modifiedAt: null, fingerprint: '1' };
        }
      },
      read: async (path) => {
        answer('read');
        return { bytes: Buffer.from(`fruit of ${path}`) };
      },
    }),
  });
  const world = new World();
  const engine = await world.open({ plugins: [plugin] });
  try {
    await use(engine, world);
  } finally {
    await engine.close();
  }
}

test('during a listing delay the sync, which reports the pause and completes', () =>
  withBusy(
    (method, at) => {
      if (method === 'list' && at === 3) throw tooMany(1500);
    },
    async (engine, world) => {
      let isOver = false;
      const adding = sync(engine, { target }).finally(() => (isOver = true));
      let paused: JobResponse | undefined;
      while (paused === undefined && !isOver) {
        paused = (await engine.jobs({})).find((each) => each.paused_until !== null);
        await setImmediate();
      }
      const { id = '', paused_until: until = null } = paused ?? {};
      const left = Date.parse(until ?? '') - Date.now();
      assert.ok(left > 0 && left <= 1500, `${left} ms`);
      // Other sources continue.
      world.source.set('a.md', 'apples');
      assert.is((await sync(engine)).status, 'succeeded');
      assert.equal(await found(engine, 'apples'), [`${root}/a.md`]);
      assert.is((await engine.job(id)).status, 'running');
      const job = await adding;
      assert.equal([job.status, job.added, job.paused_until], ['succeeded', 4, null]);
    },
  ));

test('during reads pause all objects of the source, and none fails', () => {
  let refusedAt = 0;
  const asked: number[] = [];
  return withBusy(
    (method, at) => {
      if (method !== 'read') return;
      asked.push(Date.now());
      if (at % 4 === 1 && at < 30) {
        refusedAt = Date.now();
        throw tooMany(50);
      }
    },
    async (engine) => {
      const job = await sync(engine, { target });
      assert.equal([job.status, job.added, job.failed_objects], ['succeeded', 4, 0]);
      assert.ok(refusedAt > 0 && asked.length > 4);
    },
  );
});

test('too often fail the sync', () =>
  withBusy(
    (method) => {
      if (method === 'list') throw tooMany(1);
    },
    async (engine) => {
      const job = await sync(engine, { target });
      assert.equal([job.status, job.error], ['failed', 'connector_unhealthy']);
    },
  ));

test.run();
