import { waitUntil } from '@trove/test-support/waiting.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { World } from './support/engine.js';

/* The clocks of a server and its database may differ. The clock of the database decides when a token ends. */

const test = suite('the end of a token');
const dayMs = 24 * 60 * 60 * 1000;
const now = Date.now.bind(Date);

test.after.each(() => {
  Date.now = now;
});

/** Opens an engine whose clock differs from that of the database. */
async function openAt(offsetMs: number) {
  const world = new World();
  const engine = await world.open();
  Date.now = () => now() + offsetMs;
  return engine;
}

test('is not earlier on a server whose clock is fast', async () => {
  const engine = await openAt(dayMs);
  try {
    const { token } = await engine.createToken({ name: 'long', expires_in_s: 3600 });
    assert.is((await engine.authenticate(token))?.name, 'long');
  } finally {
    await engine.close();
  }
});

test('is not later on a server whose clock is slow', async () => {
  const engine = await openAt(-dayMs);
  try {
    const { token } = await engine.createToken({ name: 'short', expires_in_s: 1 });
    assert.is((await engine.authenticate(token))?.name, 'short');
    await waitUntil(
      async () => (await engine.authenticate(token)) === null,
      'the end of the token',
    );
  } finally {
    await engine.close();
  }
});

test.run();
