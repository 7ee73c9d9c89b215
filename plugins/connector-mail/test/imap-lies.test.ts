// test-waits
import type { Socket } from 'node:net';

import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { Login } from '../src/imap/login.js';
import { ImapSession } from '../src/imap/session.js';
import { endless, startLyingServer, type Lie } from './lying-server.js';
import { calm } from './support.js';

const test = suite('misbehaving mail servers');

/** Runs a test with a session at a misbehaving server. */
function withLyingServer(
  wrongAnswer: Lie,
  run: (session: ImapSession, open: () => number) => Promise<void>,
) {
  return async () => {
    const server = await startLyingServer(wrongAnswer);
    const config = { folders: [], attachments: true, password: 'it' };
    const target = `imap://ada@127.0.0.1:${server.port}`;
    const context = connectorContext({ config, target });
    const session = new ImapSession(context, new Login(context));
    try {
      await run(session, () => server.open.size);
    } finally {
      await session.close();
      await server.stop();
    }
  };
}

test(
  'does not reconnect in a loop to a server that ends IDLE',
  withLyingServer(
    (command, socket) => (command === 'idle' ? void socket.end() : undefined),
    async (session) => {
      for (const news of ['changed', 'ended', 'ended'])
        assert.is(
          await withTimeout(session.waitForChange('INBOX', 1e6, calm()), 'it listens'),
          news,
        );
    },
  ),
);

test(
  'keeps the connection of a listener after an update',
  withLyingServer(
    (command, socket, tag) => {
      if (command !== 'idle') return undefined;
      setImmediate(() => socket.write('* 2 EXISTS\r\n'));
      return `+ idling ${tag}\r\n`;
    },
    async (session) => {
      assert.is(
        await withTimeout(session.waitForChange('INBOX', 1e6, calm()), 'it is told'),
        'changed',
      );
      const left: unknown[] = [];
      const { clearTimeout } = globalThis;
      globalThis.clearTimeout = (timer) => {
        left.push(timer);
        clearTimeout(timer);
      };
      const aborter = new AbortController();
      try {
        const more = session.waitForChange('INBOX', 1e6, aborter.signal).catch(String);
        assert.is(left.length, 1, 'the timer to leave by');
        aborter.abort(new Error('given up'));
        await withTimeout(more, 'the call ends');
      } finally {
        globalThis.clearTimeout = clearTimeout;
      }
    },
  ),
);

test(
  'stops reading an endless answer after an abort',
  withLyingServer(
    (command, socket) => (command.startsWith('fetch') ? endless(socket) : undefined),
    async (session, open) => {
      const aborter = new AbortController();
      const pending = session.withFolder('INBOX', aborter.signal, (client) => {
        setImmediate(() => aborter.abort(new Error('given up')));
        return client.fetchAll('1', { uid: true }, { uid: true });
      });
      const outcome = pending.catch(String);
      assert.is(await withTimeout(outcome, 'the call ends'), 'Error: given up');
      await waitUntil(() => open() === 0, 'the connection is closed');
      const isThere = session.withFolder('INBOX', calm(), async () => true);
      assert.is(await withTimeout(isThere, 'the session reconnects'), true);
    },
  ),
);

/** Sends an endless text. `sent` counts the accepted bytes. */
function flood(socket: Socket, sent: { bytes: number }): string {
  const piece = Buffer.alloc(1024 * 1024, 'x');
  const go = (): void => {
    while (socket.writable) {
      sent.bytes += piece.length;
      if (!socket.write(piece)) return;
    }
  };
  socket.on('drain', go);
  setImmediate(go);
  return '* LIST {900000000}\r\n';
}

const sent = { bytes: 0 };
test(
  'limits the memory of an endless answer',
  withLyingServer(
    (command, socket) => (command.startsWith('list') ? flood(socket, sent) : undefined),
    async (session) => {
      const listing = session.withClient(calm(), (client) => client.list());
      const outcome = listing.then(() => 'listed', String);
      assert.match(await withTimeout(outcome, 'it is left'), 'ended the connection');
      assert.ok(sent.bytes < 400e6, String(sent.bytes));
    },
  ),
);

test(
  'rejects when the client loses an answer with its connection',
  withLyingServer(
    (command, socket) => (command === 'noop' ? void socket.destroy() : undefined),
    async (session) => {
      const pending = session.withFolder('INBOX', calm(), async (client) => {
        await client.noop().catch(() => undefined);
        return new Promise<never>(() => undefined);
      });
      assert.match(
        String(await withTimeout(pending.catch(String), 'the call ends')),
        /ended the connection/,
      );
      const isThere = session.withFolder('INBOX', calm(), async () => true);
      assert.is(await withTimeout(isThere, 'the session reconnects'), true);
    },
  ),
);

test(
  'gives up an endless login',
  withLyingServer(
    (command, socket) => (command.startsWith('login') ? endless(socket) : undefined),
    async (session, open) => {
      const { setTimeout: wait } = globalThis;
      // Shortens the time limit of the login.
      const quick = (run: () => void, ms?: number): NodeJS.Timeout =>
        wait(run, ms === 30_000 ? 300 : ms);
      Object.defineProperty(globalThis, 'setTimeout', { value: quick, writable: true });
      const pending = session.withClient(calm(), async () => true).catch(String);
      try {
        assert.match(String(await withTimeout(pending, 'the call ends')), /ended the connection/);
      } finally {
        globalThis.setTimeout = wait;
      }
      await waitUntil(() => open() === 0, 'the connection is closed');
    },
  ),
);

test(
  'closes without the answer to a logout',
  withLyingServer(
    (command, socket) => (command === 'logout' ? endless(socket) : undefined),
    async (session, open) => {
      await session.withFolder('INBOX', calm(), async () => undefined);
      await withTimeout(session.close(), 'it is closed');
      await waitUntil(() => open() === 0, 'the connection is closed');
    },
  ),
);

test.run();
