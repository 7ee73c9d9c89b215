import { defineConnector, isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { sync, World } from './support/engine.js';

const target = 'counted://x';

/** What happened to the connectors of a source, in order: its configuration, opened or closed. */
const life: string[] = [];
let isHealthy = true;

const counted = defineConnector({
  scheme: 'counted',
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
      read: () => Promise.resolve({ bytes: Buffer.from('apples') }),
      close: async () => void life.push(`${name} closed`),
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

test('a source is opened once: to reach it, to sync it and to read it', async ({ engine }) => {
  await sync(engine, { target });
  await sync(engine, { target, full: true });
  await engine.cat({ path: `${target}/a.txt` });
  assert.equal(life, ['first opened']);
  await engine.close();
  assert.equal(life, ['first opened', 'first closed']);
});

test('the connector of a new configuration takes the place of the former one', async ({
  engine,
}) => {
  await sync(engine, { target });
  await sync(engine, { target, config: { name: 'second' }, update: true });
  await engine.cat({ path: `${target}/a.txt` });
  await engine.close();
  assert.equal(life.toSorted(), ['first closed', 'first opened', 'second closed', 'second opened']);
});

test('a refused request leaves nothing open and nothing registered', async ({ engine }) => {
  isHealthy = false;
  assert.is(await refusal(engine.add({ target })), 'connector_unhealthy');
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

test.run();
