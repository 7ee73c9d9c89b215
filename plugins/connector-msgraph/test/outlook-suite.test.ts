// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { outlook } from '../src/index.js';
import { startFakeGraph, type FakeGraph } from './fake.js';
import { mailTarget, messagesPath, openMailbox, recordsOf } from './mail-source.js';
import { settingsFor } from './source.js';

const test = suite('Outlook connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

async function subjectOn(fake: FakeGraph): Promise<ConnectorSubject> {
  const { world } = fake;
  const { mail } = world;
  const sent = mail.addFolder('Sent Items');
  const first = mail.deliver({ subject: 'Launch 🚀', text });
  const second = mail.deliver({ replyTo: first, text: 'A reply', folder: sent });
  const third = mail.deliver({ text: 'With a file', files: { '100% sure #1.txt': text } });
  const config = settingsFor(fake);
  const connector = await openMailbox(config);
  const records = await recordsOf(connector);
  await connector.close?.();
  fake.service.forget();
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin: outlook,
    target: mailTarget,
    config,
    http: connectorHttp(),
    objects: [
      { path: messagesPath, records },
      { path: `attachments/${third.id}/100% sure #1.txt`, bytes: Buffer.from(text) },
    ],
    absent: 'attachments/none/none.txt',
    changeRecords: () => {
      world.advance(1000);
      mail.change(second.id, { isFlagged: true });
      mail.deliver({ text: 'A new message' });
      mail.remove(first.id);
      return Promise.resolve();
    },
    addReply: () => {
      world.advance(1000);
      mail.deliver({ replyTo: first, text: 'A late reply', folder: sent });
      return Promise.resolve();
    },
    checkpoints: true,
    expireAccess: () => Promise.resolve(world.expireAccess()),
    replaceCredential: () => {
      world.expireAccess();
      world.refreshTokens.clear();
      world.refreshTokens.add('refresh-2');
      return Promise.resolve({ refresh_token: 'refresh-2' });
    },
    refused: [{ base_url: 'outlook.com' }, { attachments: 'yes' }, { folders: 'Inbox' }],
    unreachable: { config: { ...config, refresh_token: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeGraph();
    await work(await subjectOn(fake));
  },
  [
    'browse',
    'change',
    'emptyTarget',
    'expireCursors',
    'grep',
    'moveFolder',
    'paths',
    'remove',
    'since',
    'stat',
    'watch',
  ],
);

test.run();
