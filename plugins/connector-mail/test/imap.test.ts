import { withoutCheckpoints } from '@trove/core';
// test-timeout: 600
// test-waits
import type { ImapFlow } from 'imapflow';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { grepAll } from '@trove/test-support/grep-all.js';
import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { withTimeout, waitUntil } from '@trove/test-support/waiting.js';
import { rejection } from '@trove/test-support/rejection.js';
import { startTcpProxy } from '@trove/test-support/tcp-proxy.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Login } from '../src/imap/login.js';
import { ImapSession } from '../src/imap/session.js';
import { type ImapContext } from '../src/imap/context.js';
import { Account } from './imap-support.js';
import { calm, changed, listed, message, mixed, part, recordsOf } from './support.js';

const test = suite('mail on a server');
const inboxPath = 'INBOX/messages.jsonl';
const sessionOf = (context: ImapContext): ImapSession =>
  new ImapSession(context, new Login(context));

if (noMailServer === null) {
  const server = await startMailServer();
  test.after(() => server.stop());

  const withAccount = (work: (account: Account) => Promise<void>) => async (): Promise<void> => {
    const account = new Account(server);
    try {
      await work(account);
    } finally {
      await account.remove();
    }
  };

  test(
    'assigns a reply to the thread of the last message it names',
    withAccount(async (account) => {
      const reply = (id: string, ...headers: readonly string[]) =>
        account.append('INBOX', message({ id, headers }));
      await reply('root@x');
      await reply('second@x', 'References: <root@x>');
      await reply('other@x');
      const start = await changed(account.connector());
      const third = await reply('third@x', 'In-Reply-To: <second@x>');
      const fourth = await reply('fourth@x', 'References: <third@x>');
      const { changes } = await changed(account.connector(), start.cursor);
      const told = changes.flatMap((change) => ('records' in change ? change.records : []));
      assert.equal(
        told.map(({ thread }) => thread),
        ['root@x', 'root@x'],
      );
      const threadsOf = async (request: Parameters<typeof recordsOf>[2]) =>
        (await recordsOf(account.connector(), inboxPath, request)).map(({ thread }) => thread);
      assert.equal(await threadsOf({}), ['root@x', 'root@x', 'other@x', 'root@x', 'root@x']);
      assert.equal(await threadsOf({ offset: 3 }), ['root@x', 'root@x']);
      assert.equal(await threadsOf({ key: { uid: fourth } }), ['root@x']);
      assert.is((await threadsOf({ thread: 'root@x' })).length, 4);
      assert.is((await threadsOf({ thread: 'third@x' })).length, 0);

      // After several searches, heads are read instead.
      const connector = account.connector();
      for (let again = 0; again < 7; again++) {
        const records = await recordsOf(connector, inboxPath, { thread: 'root@x' });
        assert.is(records.length, 4, String(again));
      }
      const messageKeys = [third, fourth].map((uid) => ({ uid }));
      assert.equal(await threadsOf({ thread: 'root@x', messageKeys }), ['root@x', 'root@x']);
    }),
  );

  test(
    'syncs only new, flagged and removed messages',
    withAccount(async (account) => {
      const file = part(['Content-Disposition: attachment; filename=a.txt'], 'text');
      const first = await account.append('INBOX', mixed([file], { id: 'a@x' }));
      const second = await account.append('INBOX', message({ id: 'b@x' }));
      const connector = account.connector();
      const start = await changed(connector);
      assert.is(start.changes.length, 2);
      assert.equal((await changed(account.connector(), start.cursor)).changes, []);

      await account.flag('INBOX', second, '\\Seen');
      assert.equal((await changed(connector, start.cursor)).changes, []);
      await account.flag('INBOX', second, '\\Flagged');
      const third = await account.append('INBOX', message({ id: 'c@x' }));
      const next = await changed(connector, start.cursor);
      const told = next.changes.flatMap((change) => ('records' in change ? change.records : []));
      assert.equal(
        told.map(({ key, fields }) => [key['uid'], fields['flags']]),
        [
          [second, ['flagged']],
          [third, undefined],
        ],
      );

      await account.delete('INBOX', first);
      assert.equal((await changed(connector, next.cursor)).changes, [
        { removed: `INBOX/attachments/${first}/a.txt` },
        { path: inboxPath, records: [], removedKeys: [{ uid: first }] },
      ]);
      // Trove never marks messages as read.
      const messages = await account.within('INBOX', (client) =>
        client.fetchAll('1:*', { flags: true }),
      );
      assert.equal(
        messages.map(({ flags }) => flags?.has('\\Seen')),
        [true, false],
      );
    }),
  );

  test(
    'handles recreated and deleted folders',
    withAccount(async (account) => {
      const file = part(['Content-Disposition: attachment; filename=a.txt'], 'text');
      for (const folder of ['Gone', 'Work']) {
        await account.create(folder);
        await account.append(folder, mixed([file], { id: 'a@x' }));
      }
      const connector = account.connector();
      const { cursor } = await changed(connector);
      await connector.close?.();
      for (const folder of ['Gone', 'Work']) await account.deleteFolder(folder);
      await account.create('Work');
      await account.append('Work', message({ id: 'b@x' }));
      const later = account.connector();
      const { changes } = await changed(later, cursor);
      assert.equal(
        changes.map((change) => ('entry' in change ? change.entry.path : change)),
        [
          { removed: 'Work/attachments/1/a.txt' },
          'Work/messages.jsonl',
          { removed: 'Gone/messages.jsonl' },
          { removed: 'Gone/attachments/1/a.txt' },
        ],
      );
      const [record] = await recordsOf(later, 'Work/messages.jsonl');
      assert.is(record?.fields['message_id'], 'b@x');
    }),
  );

  test(
    'excludes the trash by default and selects folders by name',
    withAccount(async (account) => {
      for (const folder of ['Trash', 'Archive', 'Archive/2024', 'Archives']) {
        await account.create(folder);
        await account.append(folder, message());
      }
      const all = ['Archive/2024', 'Archive', 'Archives'].map((name) => `${name}/messages.jsonl`);
      assert.equal(await listed(account.connector()), all.toSorted());
      const some = account.connector({ folders: ['Archive', 'Trash'] });
      assert.equal(await listed(some), [
        'Archive/2024/messages.jsonl',
        'Archive/messages.jsonl',
        'Trash/messages.jsonl',
      ]);
      const health = await account.connector({ folders: ['Nowhere'] }).check?.({ signal: calm() });
      assert.match(health?.detail ?? '', /has no folder Nowhere\. It has: Archive, /);
    }),
  );

  test(
    'finds literal texts in messages that can be read',
    withAccount(async (account) => {
      const bodies = [
        'It is 100% done.',
        'It is 1000 done.',
        'file_name here',
        'filename "quoted" \\ grüße',
      ];
      for (const [at, body] of bodies.entries()) {
        const encoded = Buffer.from(body).toString('base64');
        const headers = [
          'Content-Type: text/plain; charset=utf-8',
          'Content-Transfer-Encoding: base64',
        ];
        await account.append('INBOX', message({ id: `${at}@x`, body: encoded, headers }));
      }
      const connector = account.connector();
      const linesWith = async (pattern: string, ignoreCase = false): Promise<string[]> => {
        const items = await grepAll(connector, pattern, { ignoreCase });
        const all = [];
        for (const item of items) {
          if (!('key' in item)) continue;
          const [record] = await recordsOf(connector, item.path, { key: item.key });
          assert.ok(record?.text?.includes(item.content));
          all.push(item.content);
        }
        return all;
      };
      assert.equal(await linesWith('100%'), [bodies[0]]);
      assert.equal(await linesWith('e_n'), [bodies[2]]);
      assert.equal(await linesWith('"quoted" \\ grüße'), [bodies[3]]);
      assert.equal(await linesWith('FILE'), []);
      assert.equal(await linesWith('FILE', true), [bodies[2], bodies[3]]);
    }),
  );

  test(
    'explains a fault of a server in a sentence with a remedy',
    withAccount(async (account) => {
      const failureOf = async (config = {}, target = account.target): Promise<string> => {
        const health = await account.connector(config, target).check?.({ signal: calm() });
        assert.is(health?.ok, false, health?.detail);
        return health?.detail ?? '';
      };
      const { securePort, port, certificate: ca } = server;
      const secure = account.targetAt(securePort, 'imaps', 'localhost');
      assert.match(
        await failureOf({ password: 'wrong' }),
        /refused the user or the password\. Check/,
      );
      assert.match(await failureOf({}, account.targetAt(1)), /cannot be reached\. Check its host/);
      assert.match(await failureOf({}, secure), /certificate that is not trusted\. Set `ca`/);
      assert.match(
        await failureOf({}, account.targetAt(port, 'imaps', 'localhost')),
        /Write imap:\/\//,
      );
      for (const target of ['imap://localhost', 'imap://ada@localhost/INBOX'])
        assert.throws(() => account.connector({}, target), /must name a user and a host/);
      for (const target of [secure, account.targetAt(port, 'imap', 'localhost')]) {
        const health = await account
          .connector({ ca, tls: 'verify' }, target)
          .check?.({ signal: calm() });
        assert.equal(health, { ok: true, detail: '0 messages in 1 folders.' });
      }
    }),
  );

  test(
    'reports a restarted server as retryable and reads it again',
    withAccount(async (account) => {
      for (let number = 0; number < 120; number++)
        await account.append('INBOX', message({ id: `${number}@x` }));
      const connector = account.connector();
      const records = connector.records?.(inboxPath, { signal: calm() });
      const read = (async () => {
        let count = 0;
        for await (const { key } of withoutCheckpoints(records ?? [])) {
          assert.ok(key['uid'] !== undefined);
          if (++count === 10) await server.restart();
        }
        return count;
      })();
      const outcome = await read.catch((error: unknown) => error);
      if (outcome instanceof Error) {
        assert.ok('retryable' in outcome && outcome.retryable === true, outcome.message);
      } else assert.is(outcome, 120);
      assert.is((await recordsOf(connector, inboxPath)).length, 120);
    }),
  );

  test(
    'removes nothing when the connection ends during any command',
    withAccount(async (account) => {
      const file = part(['Content-Disposition: attachment; filename=a.txt'], 'text');
      await account.append('INBOX', mixed([file], { id: 'a@x' }));
      const gone = await account.append('INBOX', message({ id: 'gone@x' }));
      const proxy = await startTcpProxy(server.port);
      const target = account.targetAt(proxy.port);
      const { cursor } = await changed(account.connector({}, target));
      await account.append('INBOX', message({ id: 'b@x' }));
      // A deleted message requires a search.
      await account.delete('INBOX', gone);
      const whole = (await changed(account.connector({}, target), cursor)).changes;
      assert.is(whole.length, 1);
      for (const command of ['NOOP', 'LIST', 'EXAMINE', 'SEARCH', 'FETCH']) {
        proxy.shouldEnd = (failureOf) => failureOf.includes(` ${command}`);
        const error = await rejection(() => changed(account.connector({}, target), cursor));
        assert.is(error.retryable, true, `${command}: ${error.message}`);
        // A connection that ends once is opened again without an error.
        const connector = account.connector({}, target);
        proxy.shouldEnd = () => false;
        await connector.check?.({ signal: calm() });
        let isFirst = true;
        proxy.shouldEnd = (failureOf) =>
          failureOf.includes(` ${command}`) && isFirst && !(isFirst = false);
        assert.equal((await changed(connector, cursor)).changes, whole, command);
      }
      await proxy.stop();
    }),
  );

  test(
    'uses a replaced password for the next connection',
    withAccount(async (account) => {
      const context = account.context();
      let { password } = server;
      const get = async (name: string) => (name === 'password' ? password : undefined);
      const session = sessionOf({ ...context, credentials: { ...context.credentials, get } });
      const isLoggedIn = (): Promise<boolean> =>
        session.withClient(calm(), async ({ authenticated }) => authenticated !== false);
      assert.ok(await isLoggedIn());
      password = 'sesame-open';
      await server.restart(password);
      try {
        assert.ok(await isLoggedIn());
      } finally {
        await session.close();
        await account.leave();
        await server.restart();
      }
    }),
  );

  test(
    'renews a revoked access token until the refresh token is revoked',
    withAccount(async (account) => {
      const { user } = account;
      const app = { client_id: 'trove', token_url: `${server.oauth}/token` };
      const session = sessionOf(account.context({ ...app, refresh_token: `refresh ${user} 0` }));
      await session.withClient(calm(), async (client) => client.close());
      await fetch(`${server.oauth}/expire`, {
        method: 'POST',
        body: new URLSearchParams({ user }),
      });
      assert.ok(await session.withClient(calm(), async ({ authenticated }) => authenticated));
      await session.close();
      const late = sessionOf(account.context({ ...app, refresh_token: `refresh ${user} 0` }));
      const error = await rejection(() => late.withClient(calm(), (client) => client.noop()));
      assert.is(error.code, 'credential_error');
      assert.match(
        error.message,
        /refused an access token \(invalid_grant\)\. Log in again and set/,
      );
      assert.throws(
        () => sessionOf(account.context({ refresh_token: 'x' })),
        /refresh_token: requires `token_url` and `client_id`/,
      );
    }),
  );

  test(
    'selects no other folder during a read',
    withAccount(async (account) => {
      for (const folder of ['One', 'Two']) await account.create(folder);
      const session = sessionOf(account.context());
      const pathOf = ({ mailbox }: ImapFlow): string => (mailbox === false ? '' : mailbox.path);
      const other = await session.withFolder('One', calm(), async (client) => {
        const waiting = session.withFolder('Two', calm(), async (later) => pathOf(later));
        for (let at = 0; at < 5; at++) await client.noop();
        assert.is(pathOf(client), 'One');
        return { waiting };
      });
      assert.is(await other?.waiting, 'Two');
      await session.close();
    }),
  );

  test(
    'stores a large cursor in a file and continues from it',
    withAccount(async (account) => {
      const names = Array.from({ length: 6 }, (_, at) => `${at}${'n'.repeat(140)}.txt`);
      const files = names.map((name) =>
        part([`Content-Disposition: attachment; filename=${name}`], 'text'),
      );
      for (let at = 0; at < 60; at++) await account.append('INBOX', mixed(files));
      const { changes, cursor } = await changed(account.connector());
      assert.is(changes.length, 1 + 60 * 6);
      assert.ok(JSON.stringify(cursor).length < 100, 'the cursor itself is short');
      await account.delete('INBOX', 30);
      const next = await changed(account.connector(), cursor);
      assert.equal(next.changes.at(-1), {
        path: inboxPath,
        records: [],
        removedKeys: [{ uid: 30 }],
      });
      assert.is(next.changes.length, 7);
    }),
  );

  test(
    'reports changes and reconnects after a lost connection',
    withAccount(async (account) => {
      const proxy = await startTcpProxy(server.port);
      let [told, idles] = [0, 0];
      // Changes after the start of IDLE are reported at once.
      proxy.onServerData = (failureOf) => void (failureOf.includes('+ idling') && idles++);
      const listening = new AbortController();
      const { signal } = listening;
      const connector = account.connector({}, account.targetAt(proxy.port));
      const listen = async (): Promise<void> => {
        for await (const path of connector.watch?.({ signal }) ?? []) {
          assert.is(path, '');
          told++;
        }
      };
      let ended: unknown = null;
      const end = listen().catch((error: unknown) => (ended = error));
      let uid = 0;
      for (const change of [
        async () => (uid = await account.append('INBOX', message())),
        () => account.flag('INBOX', uid, '\\Flagged'),
        () => account.delete('INBOX', uid),
        async () => {
          idles = 0;
          proxy.cut();
        },
        () => account.append('INBOX', message()),
      ]) {
        await waitUntil(() => idles > 0 || ended !== null, 'it listens');
        assert.is(ended, null);
        const before = told;
        assert.ok(before > 0, 'the start of the watch is reported');
        await change();
        await waitUntil(() => told > before || ended !== null, `it is told: ${String(change)}`);
      }
      listening.abort();
      await withTimeout(end, 'it ends');
      await proxy.stop();
    }),
  );
} else testUnless(noMailServer, test)('reads mail on a server', () => undefined);

test.run();
