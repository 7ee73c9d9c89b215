import { defineConnector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { World } from './support/engine.js';

const test = suite('estimates');

test('run two at a time, and an abandoned one never starts', async () => {
  let listing = 0;
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const plugin = defineConnector({
    keys: ['slow'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        listing++;
        await gate;
        yield { path: 'a.txt', size: 4, modifiedAt: null, fingerprint: null };
      },
      read: async () => ({ bytes: Buffer.from('text') }),
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  try {
    const leaving = new AbortController();
    const ask = (signal?: AbortSignal) =>
      engine.estimate({ target: 'slow://x' }, signal === undefined ? {} : { signal });
    const asked = [ask(), ask(), ask()];
    const left = ask(leaving.signal).catch((error: unknown) => error);
    while (listing < 2) await turn();
    for (let n = 0; n < 100; n++) await turn();
    assert.is(listing, 2);
    leaving.abort(new Error('gone'));
    assert.match(String(await left), 'gone');
    open();
    for (const { objects } of await Promise.all(asked)) assert.is(objects, 1);
    assert.is(listing, 3);
  } finally {
    open();
    await engine.close();
  }
});

test('and probes succeed although closing a connector fails', async () => {
  const plugin = defineConnector({
    keys: ['stuck'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        yield { path: 'a.txt', size: 4, modifiedAt: null, fingerprint: null };
      },
      read: async () => ({ bytes: Buffer.from('text') }),
      check: async () => ({ ok: false, detail: 'It does not answer.' }),
      close: async () => {
        throw new Error('the line is cut');
      },
    }),
  });
  await using engine = await new World().open({ plugins: [plugin] });
  assert.is((await engine.probe({ target: 'stuck://x' })).detail, 'It does not answer.');
  assert.is((await engine.estimate({ target: 'stuck://x' })).objects, 1);
});

test('report an overload instead of counting unread objects as empty', async () => {
  let isRead = (): void => {};
  const reading = new Promise<void>((resolve) => (isRead = resolve));
  const plugin = defineConnector({
    keys: ['huge'],
    configSchema: { type: 'object' },
    create: () => ({
      async *list() {
        yield { path: 'a.txt', size: 60 * 1024 * 1024, modifiedAt: null, fingerprint: null };
      },
      read: () => {
        isRead();
        return new Promise<never>(() => {});
      },
    }),
  });
  const engine = await new World().open({ plugins: [plugin] });
  const leaving = new AbortController();
  const { signal } = leaving;
  try {
    await engine.add({ target: 'huge://x' });
    const head = engine.head({ path: 'huge://x/a.txt' }, { signal }).catch(() => {});
    await reading;
    const error = await rejection(() => engine.estimate({ target: 'huge://x' }));
    assert.is(error.code, 'overloaded');
    leaving.abort();
    await head;
  } finally {
    leaving.abort();
    await engine.close();
  }
});

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test.run();
