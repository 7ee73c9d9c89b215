import { defineConnector, type BrowseEntry } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { EventLoopCounter } from '@trove/test-support/event-loop-counter.js';
import { World } from './support/engine.js';

const test = suite('large folders');
const target = 'large://local';

/** Runs a test with a source that has one folder, listed by `browse`. */
async function using(
  browse: () => AsyncGenerator<BrowseEntry>,
  run: (engine: Engine) => Promise<void>,
): Promise<void> {
  const plugin = defineConnector({
    keys: ['large'],
    defaultAuthority: 'local',
    configSchema: { type: 'object', properties: {}, additionalProperties: false },
    create: () => ({
      async *list() {},
      read: () => Promise.reject(new Error('nothing is read')),
      check: async () => ({ ok: true, detail: '' }),
      browse,
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  try {
    await engine.add({ target, process: true });
    await run(engine);
  } finally {
    await engine.close();
  }
}

function entry(n: number): BrowseEntry {
  return { name: `f${String(n).padStart(9, '0')}.txt`, type: 'file', size: 1, modifiedAt: null };
}

test('are listed in short steps even from a fast source', () =>
  using(
    async function* () {
      for (let n = 0; n < 100_000; n++) yield entry(n);
    },
    async (engine) => {
      const turns = new EventLoopCounter();
      const { entries } = await engine.ls({ path: target });
      const count = turns.end();
      assert.is(entries.length, 100_000);
      assert.ok(count > 50, `${count} turns`);
    },
  ));

test('are held in memory two at a time without delaying small ones', () => {
  let started = 0;
  let beyond = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  let size = 2500;
  return using(
    async function* () {
      const count = size;
      started++;
      for (let n = 0; n < count; n++) {
        if (n === 2200) {
          beyond++;
          await gate;
        }
        yield entry(n);
      }
    },
    async (engine) => {
      const listings = Promise.all(Array.from({ length: 5 }, () => engine.ls({ path: target })));
      listings.catch(() => undefined);
      while (started < 5 || beyond < 2) await turn();
      for (let n = 0; n < 100; n++) await turn();
      assert.is(beyond, 2);
      size = 10;
      assert.is((await engine.ls({ path: target })).entries.length, 10);
      open();
      for (const { entries } of await listings) assert.is(entries.length, 2500);
    },
  );
});

test('are rejected if they never end', () =>
  using(
    async function* () {
      for (let n = 0; ; n++) yield entry(n);
    },
    async (engine) => {
      const refused = await engine.ls({ path: target }).catch((error: unknown) => error);
      assert.match(String(refused), /more than 1000000 entries/);
    },
  ));

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test.run();
