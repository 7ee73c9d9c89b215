import { defineConnector, isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const target = 'counted://x';

/** The lifecycle of the connectors of a source, in order: their configuration, opened or closed. */
const life: string[] = [];
let isHealthy = true;
/** `stat` waits for this. */
let held: Promise<void> = Promise.resolve();
let onStat = (): void => undefined;

const counted = defineConnector({
  keys: ['counted'],
  configSchema: {
    type: 'object',
    properties: { name: { type: 'string', default: 'first' } },
    additionalProperties: false,
  },
  create: ({ config: { name } }) => {
    life.push(`${name} opened`);
    return {
      check: () => Promise.resolve({ ok: isHealthy, detail: 'as asked' }),
      async *list() {
        yield { path: 'a.txt', size: null, modifiedAt: null, fingerprint: name };
      },
      stat: async (path) => {
        onStat();
        await held;
        return { path, size: null, modifiedAt: null, fingerprint: name };
      },
      read: () => Promise.resolve({ bytes: Buffer.from('apples') }),
      close: async () => {
        life.push(`${name} closed`);
        if (name === 'stubborn') throw new Error('no');
      },
    };
  },
});

const test = suite<{ engine: Engine }>('registering a source');

test.before.each(async (context) => {
  life.length = 0;
  isHealthy = true;
  context.engine = await new World().open({ plugins: [counted] });
});
test.after.each(async ({ engine }) => {
  await engine.close();
});

async function refusal(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return isTroveError(error) ? error.code : 'none';
}

test('a source is opened once for check, sync and reads', async ({ engine }) => {
  await sync(engine, { target });
  await sync(engine, { target, full: true });
  await engine.cat({ path: `${target}/a.txt` });
  assert.equal(life, ['first opened']);
  await engine.close();
  assert.equal(life, ['first opened', 'first closed']);
});

test('the connector of a new configuration replaces the former one', async ({ engine }) => {
  await sync(engine, { target });
  await sync(engine, { target, config: { name: 'second' }, update: true });
  await engine.cat({ path: `${target}/a.txt` });
  await engine.close();
  assert.equal(life.toSorted(), ['first closed', 'first opened', 'second closed', 'second opened']);
});

test('a refused request leaves nothing open and nothing registered', async ({ engine }) => {
  isHealthy = false;
  const error = await engine.add({ target }).catch((thrown: unknown) => thrown);
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy');
  // The error has no text except the connector's.
  assert.equal([error.detail, ...error.suggestions], ['as asked']);
  assert.equal(life, ['first opened', 'first closed']);
  assert.equal((await engine.status()).connectors, []);
});

test('a change that cannot be queued leaves the former connector in use', async ({ engine }) => {
  await engine.add({ target });
  const change = { target, config: { name: 'second' }, update: true };
  assert.is(await refusal(engine.add(change)), 'sync_already_running');
  await engine.cat({ path: `${target}/a.txt` });
  assert.equal(life, ['first opened', 'second opened', 'second closed']);
});

test('a read from a removed source names the removal', async ({ engine }) => {
  await sync(engine, { target });
  const asked = new Promise<void>((resolve) => (onStat = resolve));
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  const reading = engine.cat({ path: `${target}/a.txt` }).catch((error: unknown) => error);
  await asked;
  // The removal waits some seconds for the call in progress. The next call comes too late.
  await engine.remove({ target });
  release();
  const error = await reading;
  assert.ok(isTroveError(error) && error.code === 'connector_unhealthy' && error.retryable);
});

test('a source is removed although closing its connector fails', async ({ engine }) => {
  await sync(engine, { target, config: { name: 'stubborn' } });
  assert.equal(await engine.remove({ target }), { target, removed: true });
  assert.equal(life, ['stubborn opened', 'stubborn closed']);
});

test('a refusal has its reason although closing the connector fails', async ({ engine }) => {
  isHealthy = false;
  const asked = engine.add({ target, config: { name: 'stubborn' } });
  assert.match(String(await asked.catch((error: unknown) => error)), 'as asked');
  assert.equal(life, ['stubborn opened', 'stubborn closed']);
});

test.run();
