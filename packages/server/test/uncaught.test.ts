import { createConnection } from 'node:net';
import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { logUncaught } from '../src/commands/uncaught.js';

const test = suite('uncaught errors');
const silent = { debug() {}, info() {}, warn() {} };

test('only an exception in our code stops the server, and logging is limited', async () => {
  using clock = new ManualClock(Infinity, { date: true });
  const logged: string[] = [];
  let own = 0;
  const undo = logUncaught(
    {
      ...silent,
      error: (message, fields) => void logged.push(`${message} ${String(fields?.['error'])}`),
    },
    async (text) => text.replaceAll('a text', '***'),
    () => void own++,
  );
  try {
    const ours = new Error('thrown in a file of this repository');
    const theirs = Object.assign(new Error('theirs'), {
      stack: `Error: theirs\n    at Timeout.f (file:///app/node_modules/theirs/index.js:1:2)\n${ours.stack}`,
    });
    const socket = createConnection({ host: '127.0.0.1', port: 1 });
    const [ofSocket] = await once(socket, 'error').catch((error: unknown) => [error]);
    for (const error of [ours, theirs, ofSocket, 'a text', null, hostile(), stackless()])
      process.emit('uncaughtException', error as Error);
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(own, 1);
    assert.is(logged.length, 7);
    assert.match(logged.join('\n'), "of a plugin '***'");
    for (let i = 0; i < 1000; i++) process.emit('unhandledRejection', i, Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    assert.is(logged.length, 21);
    // The clock is set back meanwhile.
    Date.now = () => 0;
    clock.advance(61_000);
    process.emit('unhandledRejection', 'later', Promise.resolve());
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(logged[21] ?? '', 'later');
  } finally {
    undo();
  }
  assert.is(process.listenerCount('uncaughtException'), 0);
});

/** Throws on every access. */
function hostile(): unknown {
  const refuse = (): never => {
    throw new Error('this trap throws');
  };
  const traps = ['get', 'getPrototypeOf', 'has', 'ownKeys', 'getOwnPropertyDescriptor'];
  return new Proxy(new Error('theirs'), Object.fromEntries(traps.map((trap) => [trap, refuse])));
}

function stackless(): Error {
  return Object.defineProperty(new Error('theirs'), 'stack', {
    get() {
      throw new Error('no stack for you');
    },
  });
}

test.run();
