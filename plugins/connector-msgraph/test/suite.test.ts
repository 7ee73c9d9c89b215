// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { onedrive } from '../src/index.js';
import { startFakeGraph, type FakeGraph } from './fake.js';
import { driveTarget, settingsFor } from './source.js';

const test = suite('OneDrive connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeGraph): ConnectorSubject {
  const { world } = fake;
  const { own } = world;
  const folder = own.createFolder('100% sure #1 😀');
  const ids = new Map([
    ['a.txt', own.create({ name: 'a.txt', content: text }).id],
    [
      '100% sure #1 😀/b c.txt',
      own.create({ name: 'b c.txt', parent: folder.id, content: `b ${text}` }).id,
    ],
  ]);
  const idOf = (path: string): string => ids.get(path) ?? '';
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin: onedrive,
    target: driveTarget,
    config,
    http: connectorHttp(),
    objects: [...ids].map(([path, id]) => ({ path, bytes: Buffer.from(own.item(id).content) })),
    absent: 'none.txt',
    change: (path) => {
      world.advance(1000);
      return Promise.resolve(own.edit(idOf(path), { content: `Changed\n${text.repeat(3)}` }));
    },
    remove: (path) => Promise.resolve(own.remove(idOf(path))),
    moveFolder: () => Promise.resolve(own.move(folder.id, own.createFolder('Other').id)),
    expireCursors: () => Promise.resolve(own.expireLinks()),
    expireAccess: () => Promise.resolve(world.expireAccess()),
    replaceCredential: () => {
      world.expireAccess();
      world.refreshTokens.clear();
      world.refreshTokens.add('refresh-2');
      return Promise.resolve({ refresh_token: 'refresh-2' });
    },
    refused: [{ base_url: 'graph.microsoft.com' }, { folder: '/a' }, { acount: 'ann' }],
    unreachable: { config: { ...config, refresh_token: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeGraph();
    await work(subjectOn(fake));
  },
  [
    'browse',
    'checkpoints',
    'coupled',
    'emptyTarget',
    'grep',
    'paths',
    'records',
    'since',
    'stat',
    'watch',
  ],
);

test.run();
