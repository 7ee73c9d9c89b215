import { setImmediate } from 'node:timers/promises';
import { defineConnector, type Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const test = suite('objects that have grown since they were listed');

const OBJECTS = 12;
const piece = Buffer.from('apples and pears\n'.repeat(1024));
const PIECES = 64;

test('are held in memory a few at a time, and all are found', async () => {
  let most = 0;
  const long = new Set<string>();
  async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < PIECES; at++) {
      if (at > PIECES / 2) long.add(path);
      most = Math.max(most, long.size);
      await setImmediate();
      yield new Uint8Array(piece);
    }
    long.delete(path);
  }
  const connector = defineConnector({
    keys: ['grown'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list(): AsyncGenerator<Entry> {
        for (let at = 0; at < OBJECTS; at++)
          yield { path: `${at}.txt`, size: 1, modifiedAt: null, fingerprint: '1' };
      },
      read: async (path) => ({ mediaType: null, bytes: bytesOf(path) }),
    }),
  });
  const world = new World();
  const engine = await world.open({ plugins: [connector], ingest: { chunkMax: 2 } });
  const job = await sync(engine, { target: 'grown://all' });
  assert.is(job.added, OBJECTS);
  assert.ok(most <= 2, `${most} at a time`);
  await engine.close();
});

test.run();
