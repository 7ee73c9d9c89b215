// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeGmail, type FakeGmail } from './fake.js';
import { messagesPath, openMailbox, recordsOf, settingsFor, target } from './source.js';

const test = suite('Gmail connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

async function subjectOn(fake: FakeGmail): Promise<ConnectorSubject> {
  const { world } = fake;
  const first = world.deliver({ subject: 'Launch 🚀', text });
  const second = world.deliver({ replyTo: first, text: 'A reply' });
  const third = world.deliver({ text: 'With a file', files: { '100% sure #1.txt': text } });
  const config = settingsFor(fake);
  const connector = await openMailbox(config);
  const records = await recordsOf(connector);
  await connector.close?.();
  fake.service.forget();
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [
      { path: messagesPath, records },
      { path: `attachments/${third.id}/100% sure #1.txt`, bytes: Buffer.from(text) },
    ],
    absent: 'attachments/none/none.txt',
    changeRecords: () => {
      world.advance(1000);
      world.addLabels(second.id, 'STARRED');
      world.deliver({ text: 'A new message' });
      world.remove(first.id);
      return Promise.resolve();
    },
    addReply: () => {
      world.advance(1000);
      world.deliver({ replyTo: first, text: 'A late reply' });
      return Promise.resolve();
    },
    checkpoints: true,
    expireCursors: () => Promise.resolve(world.expireHistory()),
    expireAccess: () => Promise.resolve(world.expireAccess()),
    replaceCredential: () => {
      world.expireAccess();
      world.refreshTokens.clear();
      world.refreshTokens.add('refresh-2');
      return Promise.resolve({ refresh_token: 'refresh-2' });
    },
    refused: [{ base_url: 'gmail.com' }, { attachments: 'yes' }, { account: 'ann' }],
    unreachable: { config: { ...config, refresh_token: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeGmail();
    await work(await subjectOn(fake));
  },
  [
    'browse',
    'change',
    'emptyTarget',
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
