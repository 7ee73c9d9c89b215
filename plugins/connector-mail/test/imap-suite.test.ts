// test-waits
import { selectConnectorCases, type ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testConformance } from '@trove/test-support/conformance.js';
import { MailAccount } from '@trove/test-support/mail-account.js';
import { noMailServer, startMailServer } from '@trove/test-support/mail-server.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Account, plugin } from './imap-support.js';
import { message, mixed, part } from './support.js';

const test = suite('imap connector, conformance');

const notes = 'line one\nline .* two\nthree';
const fields = {
  from: 'Ada Lovelace <ada@example.org>',
  to: ['Ben <ben@example.org>', 'cleo@example.org'],
  date: '2024-02-29T12:00:00.000Z',
};
const rest = { author: 'Ada Lovelace', at: Date.UTC(2024, 1, 29, 12) };

if (noMailServer === null) {
  const server = await startMailServer();
  test.after(() => server.stop());
  const onAccount = async (
    work: (subject: ConnectorSubject, account: Account) => Promise<void>,
  ) => {
    const account = new Account(server);
    try {
      await work(await subjectOn(account), account);
    } finally {
      await account.remove();
    }
  };
  const skipped = await testConformance(test, onAccount, [
    'addReply',
    'browse',
    'checkpoints',
    'moveFolder',
    'grep.context',
    'grep.onlyMatching',
    'grep.paging',
    'grep.regex',
    'keysOnly',
    'paths',
    'since',
    'change',
    'coupled',
    'expireAccess',
    'expireCursors',
    'explain',
    'replaceCredential',
  ]);

  test('renews access tokens and stores the new refresh token', () =>
    onAccount(async (own, account) => {
      const subject = { ...own, ...withTokens(account) };
      const { cases } = await selectConnectorCases(subject);
      const ids = skipped.flatMap(({ id, need }) => (need === 'expireAccess' ? [id] : []));
      const wanted = cases.filter(({ id }) => ids.includes(id));
      assert.ok(wanted.length > 0);
      for (const each of wanted) await each.run(subject);
    }));
} else {
  testUnless(noMailServer, test)('it holds on a mail server', () => undefined);
}

/** The same mail through OAuth. */
function withTokens({ user, server }: Account): Pick<ConnectorSubject, 'config' | 'expireAccess'> {
  const tokens = { refresh_token: `refresh ${user} 0`, client_id: 'trove' };
  const token_url = `${server.oauth}/token`;
  return {
    config: { folders: [], attachments: true, ...tokens, token_url },
    expireAccess: async () => {
      const ended = new URLSearchParams({ user });
      await fetch(`${server.oauth}/expire`, { method: 'POST', body: ended });
    },
  };
}

async function subjectOn(account: Account): Promise<ConnectorSubject> {
  const name = '50% #1 ? 😀.md';
  const encoded = `filename*=utf-8''${encodeURIComponent(name)}`;
  const file = [
    'Content-Type: text/markdown',
    `Content-Disposition: attachment; ${encoded}`,
    'Content-Transfer-Encoding: base64',
  ];
  const data = [
    'Content-Disposition: attachment; filename=data.bin',
    'Content-Transfer-Encoding: base64',
  ];
  const withNotes = mixed(
    [
      part(['Content-Type: text/plain'], 'See what is attached.'),
      part(file, Buffer.from(notes).toString('base64')),
    ],
    { id: 'two@example.org', subject: 'Two', headers: ['References: <one@example.org>'] },
  );
  const withData = mixed(
    [part(['Content-Type: text/html'], '<p>Here, <b>and .* more</b></p>'), part(data, 'AAEC/wA=')],
    { id: 'three@example.org', subject: 'Three' },
  );
  const empty = new MailAccount(account.server);
  const odd = 'Old 100% 😀';
  const folder = 'Old 100%25 😀';
  await account.create(odd);
  const [one, two] = [
    await account.append('INBOX', message()),
    await account.append('INBOX', withNotes),
  ];
  const three = await account.append(odd, withData, ['\\Flagged', '\\Seen']);
  const validity = async (path: string): Promise<string> => {
    const status = await (await account.client()).status(path, { uidValidity: true });
    return String(status.uidValidity);
  };
  const [inbox, old] = [await validity('INBOX'), await validity(odd)];
  const notesPath = `INBOX/attachments/${two}/${name}`;
  const dataPath = `${folder}/attachments/${three}/data.bin`;
  return {
    plugin,
    target: account.target,
    config: account.config(),
    objects: [
      { path: notesPath, bytes: Buffer.from(notes) },
      { path: dataPath, bytes: Uint8Array.from([0, 1, 2, 255, 0]) },
      {
        path: 'INBOX/messages.jsonl',
        records: [
          {
            key: { uid: one },
            fields: { uid: one, subject: 'Hello', ...fields, message_id: 'one@example.org' },
            text: 'A text.',
            version: inbox,
            title: 'Hello',
            ...rest,
            thread: 'one@example.org',
          },
          {
            key: { uid: two },
            fields: { uid: two, subject: 'Two', ...fields, message_id: 'two@example.org' },
            text: `See what is attached.\n\nAttachments: ${name}`,
            version: inbox,
            title: 'Two',
            ...rest,
            thread: 'one@example.org',
            attachments: [notesPath],
          },
        ],
      },
      {
        path: `${folder}/messages.jsonl`,
        records: [
          {
            key: { uid: three },
            fields: {
              uid: three,
              subject: 'Three',
              ...fields,
              message_id: 'three@example.org',
              flags: ['flagged'],
            },
            text: 'Here, and .* more\n\nAttachments: data.bin',
            version: `${old} flagged`,
            title: 'Three',
            ...rest,
            thread: 'three@example.org',
            attachments: [dataPath],
          },
        ],
      },
    ],
    absent: `INBOX/attachments/${two}/nothing here.md`,
    remove: async (path) => {
      if (path === notesPath) await account.delete('INBOX', two);
      else if (path === dataPath) await account.delete(odd, three);
      else throw new Error(`nobody removes ${path}`);
    },
    changeRecords: async (path) => {
      const place = path.startsWith('INBOX') ? 'INBOX' : odd;
      await account.append(place, message({ id: 'new@example.org' }));
      if (place !== 'INBOX') return void (await account.flag(odd, three, '\\Answered'));
      await account.flag('INBOX', one, '\\Answered');
      await account.delete('INBOX', two);
    },
    refused: [{ tls: 'maybe' }, { pasword: 'x' }],
    emptyTarget: empty.target,
    unreachable: { config: { ...account.config(), password: 'tonnerre de Brest' } },
    secret: 'tonnerre de Brest',
  };
}

test.run();
