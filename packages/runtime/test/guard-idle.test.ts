import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testGuard } from './support/test-guard.js';

const test = suite('the guard of an idle plugin');
const { signal } = new AbortController();

test('closes an idle instance, and starts another for the next call', async () => {
  const events: string[] = [];
  let starts = 0;
  const held = testGuard({
    start: async () => {
      events.push(`start ${++starts}`);
      return { value: starts };
    },
    close: async ({ value }) => void events.push(`close ${value}`),
    onIdle: () => events.push('idle'),
  });
  await held.closeIdle();
  assert.is(await held.call('read', 1000, signal, ({ value }) => value), 1);
  await held.closeIdle();
  await held.closeIdle();
  assert.is(await held.call('read', 1000, signal, ({ value }) => value), 2);
  await held.close();
  await held.closeIdle();
  assert.equal(events, ['start 1', 'idle', 'close 1', 'start 2', 'idle', 'close 2']);
});

test('does not close an instance that a call uses', async () => {
  let closes = 0;
  const held = testGuard({ close: async () => void closes++ });
  const aborter = new AbortController();
  const items = held.iterate('watch', 60_000, aborter.signal, async function* () {
    yield 1;
    yield 2;
  });
  await items.next();
  await held.closeIdle();
  assert.is(closes, 0);
  await items.return();
  await held.closeIdle();
  assert.is(closes, 1);
});

test('starts again only after the idle instance has ended', async () => {
  const events: string[] = [];
  let end = (): void => {};
  const held = testGuard({
    start: async () => {
      events.push('start');
      return { value: 1 };
    },
    close: async () => {
      await new Promise<void>((resolve) => (end = resolve));
      events.push('closed');
    },
  });
  await held.call('read', 1000, signal, () => null);
  const closing = held.closeIdle();
  const next = held.call('read', 1000, signal, () => null);
  end();
  await Promise.all([closing, next]);
  assert.equal(events, ['start', 'closed', 'start']);
});

test.run();
