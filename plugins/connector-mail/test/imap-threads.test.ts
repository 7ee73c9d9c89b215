import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { testUnless } from '@trove/test-support/skips.js';
import { listFolders } from '../src/imap/folders.js';
import { Login } from '../src/imap/login.js';
import { ImapSession } from '../src/imap/session.js';
import { Threads } from '../src/imap/threads.js';
import { Account } from './imap-support.js';
import { calm, message, recordsOf } from './support.js';

const test = suite('threads of a folder on a mail server');

/** Records the thread searches of a session. */
function headSearches(session: ImapSession): unknown[] {
  const asked: unknown[] = [];
  const inFolder = session.withFolder.bind(session);
  session.withFolder = (path, signal, work) =>
    inFolder(path, signal, async (client) => {
      const search = client.search.bind(client);
      client.search = (query, options) => {
        if (query.or !== undefined) asked.push(query);
        return search(query, options);
      };
      try {
        return await work(client);
      } finally {
        client.search = search;
      }
    });
  return asked;
}

function inFolderWithoutSearches(session: ImapSession): ImapSession['withFolder'] {
  const inFolder = session.withFolder.bind(session);
  return (path, signal, work) =>
    inFolder(path, signal, async (client) => {
      const search = client.search.bind(client);
      client.search = async () => {
        throw new Error('it searches');
      };
      try {
        return await work(client);
      } finally {
        client.search = search;
      }
    });
}

if (noMailServer === null) {
  const server = await startMailServer();
  const account = new Account(server);
  test.after(async () => {
    await account.remove();
    await server.stop();
  });

  test('reads heads instead of searching for each of many threads', async () => {
    const ids = Array.from({ length: 9 }, (_, at) => `${at}@x`);
    const uids: number[] = [];
    for (const id of ids) uids.push(await account.append('INBOX', message({ id })));
    const context = account.context();
    const session = new ImapSession(context, new Login(context));
    const asked = headSearches(session);
    const threads = new Threads(session);
    const idsIn = async (thread: string): Promise<string[]> => {
      const [folder] = await listFolders(session, account.config(), calm());
      assert.ok(folder);
      const messages = await threads.messages(folder, thread, undefined, calm());
      return messages.map(({ mail }) => mail.messageId);
    };
    for (const id of ids) assert.equal(await idsIn(id), [id]);
    assert.is(asked.length, 5);

    const [gone = 0, marked = 0] = uids;
    await account.delete('INBOX', gone);
    await account.flag('INBOX', marked, '\\Deleted');
    const answer = message({ id: 'a@x', headers: ['References: <2@x>'] });
    await account.append('INBOX', answer);
    assert.equal(await idsIn('0@x'), []);
    assert.equal(await idsIn('1@x'), []);
    assert.equal(await idsIn('2@x'), ['2@x', 'a@x']);
    await account.delete('INBOX', marked);
    assert.equal(await idsIn('nothing@x'), []);
    assert.is(asked.length, 5);
    await session.close();
  });

  test('fetches known messages without a search', async () => {
    const first = await account.append('INBOX', message({ id: 'first@x' }));
    const other = await account.append('INBOX', message({ id: 'other@x' }));
    const answer = message({ id: 'answer@x', headers: ['References: <first@x>'] });
    const second = await account.append('INBOX', answer);
    const context = account.context();
    const session = new ImapSession(context, new Login(context));
    const [folder] = await listFolders(session, account.config(), calm());
    assert.ok(folder);
    session.withFolder = inFolderWithoutSearches(session);
    const known = [second, 4_000_000, other, first, 0].map((uid) => ({ uid }));
    const messages = await new Threads(session).messages(folder, 'first@x', known, calm());
    assert.equal(
      messages.map(({ mail }) => mail.messageId),
      ['first@x', 'answer@x'],
    );
    await session.close();
  });

  test('reads a single thread', async () => {
    for (const [id, ...headers] of [
      ['root@x'],
      ['apart@x'],
      ['reply@x', 'References: <root@x>'],
      ['last@x', 'References: <q@x> <root@x>'],
    ] as const)
      await account.append('INBOX', message({ id, headers }));
    const request = { thread: 'root@x' };
    const records = await recordsOf(account.connector(), 'INBOX/messages.jsonl', request);
    assert.equal(
      records.map(({ fields }) => fields['message_id']),
      ['root@x', 'reply@x', 'last@x'],
    );
  });
} else
  testUnless(noMailServer, test)(
    'reads heads instead of searching for each of many threads',
    () => undefined,
  );

test.run();
