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

const test = suite('mail servers that do what no server should');

/** Runs a test with a session at a server that tells lies. */
function lied(lie: Lie, run: (session: ImapSession, open: () => number) => Promise<void>) {
  return async () => {
    const server = await startLyingServer(lie);
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
  'one that ends each connection of whoever listens is not connected with again and again at once',
  lied(
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
  'nobody leaves a server that has told some news, while somebody listens',
  lied(
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
      const giving = new AbortController();
      try {
        const more = session.waitForChange('INBOX', 1e6, giving.signal).catch(String);
        assert.is(left.length, 1, 'the timer to leave by');
        giving.abort(new Error('given up'));
        await withTimeout(more, 'it ends');
      } finally {
        globalThis.clearTimeout = clearTimeout;
      }
    },
  ),
);

test(
  'an answer that does not end is not read on once nobody waits for it',
  lied(
    (command, socket) => (command.startsWith('fetch') ? endless(socket) : undefined),
    async (session, open) => {
      const giving = new AbortController();
      const asked = session.withFolder('INBOX', giving.signal, (client) => {
        setImmediate(() => giving.abort(new Error('given up')));
        return client.fetchAll('1', { uid: true }, { uid: true });
      });
      const outcome = asked.catch(String);
      assert.is(await withTimeout(outcome, 'it ends'), 'Error: given up');
      await waitUntil(() => open() === 0, 'the connection is closed');
      const isThere = session.withFolder('INBOX', calm(), async () => true);
      assert.is(await withTimeout(isThere, 'it is connected with again'), true);
    },
  ),
);

/** A text of which there is no end in sight; `sent` counts what was taken of it. */
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
  'one whose answer does not end is left before it fills the memory',
  lied(
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
  'an answer that the client has forgotten when its connection broke is not waited for',
  lied(
    (command, socket) => (command === 'noop' ? void socket.destroy() : undefined),
    async (session) => {
      const asked = session.withFolder('INBOX', calm(), async (client) => {
        await client.noop().catch(() => undefined);
        return new Promise<never>(() => undefined);
      });
      assert.match(
        String(await withTimeout(asked.catch(String), 'it ends')),
        /ended the connection/,
      );
      const isThere = session.withFolder('INBOX', calm(), async () => true);
      assert.is(await withTimeout(isThere, 'it is connected with again'), true);
    },
  ),
);

test(
  'one that never lets the user in, and never falls silent, is left',
  lied(
    (command, socket) => (command.startsWith('login') ? endless(socket) : undefined),
    async (session, open) => {
      const { setTimeout: wait } = globalThis;
      // The half minute for a login passes at once.
      const quick = (run: () => void, ms?: number): NodeJS.Timeout =>
        wait(run, ms === 30_000 ? 300 : ms);
      Object.defineProperty(globalThis, 'setTimeout', { value: quick, writable: true });
      const asked = session.withClient(calm(), async () => true).catch(String);
      try {
        assert.match(String(await withTimeout(asked, 'it ends')), /ended the connection/);
      } finally {
        globalThis.setTimeout = wait;
      }
      await waitUntil(() => open() === 0, 'the connection is closed');
    },
  ),
);

test(
  'one that does not say goodbye is left',
  lied(
    (command, socket) => (command === 'logout' ? endless(socket) : undefined),
    async (session, open) => {
      await session.withFolder('INBOX', calm(), async () => undefined);
      await withTimeout(session.close(), 'it is closed');
      await waitUntil(() => open() === 0, 'the connection is closed');
    },
  ),
);

test.run();
