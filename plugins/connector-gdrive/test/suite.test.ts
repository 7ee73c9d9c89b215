// test-timeout: 300
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import plugin from '../src/index.js';
import { startFakeDrive, type FakeDrive } from './fake.js';
import { documentType } from './fake/world.js';
import { settingsFor, target } from './source.js';

const test = suite('Google Drive connector, conformance');

const text = 'First line\nsecond line with a word\nthird line\n';

function subjectOn(fake: FakeDrive): ConnectorSubject {
  const { world } = fake;
  const folder = world.createFolder('100% sure #1 😀');
  const ids = new Map([
    ['a.txt', world.create({ name: 'a.txt', content: text }).id],
    [
      '100% sure #1 😀/b c.txt',
      world.create({ name: 'b c.txt', parent: folder.id, content: `b ${text}` }).id,
    ],
    ['Doc.md', world.create({ name: 'Doc', mimeType: documentType, content: `# Doc\n${text}` }).id],
  ]);
  const idOf = (path: string): string => ids.get(path) ?? '';
  const config = settingsFor(fake);
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target,
    config,
    http: connectorHttp(),
    objects: [...ids].map(([path, id]) => ({ path, bytes: Buffer.from(world.file(id).content) })),
    absent: 'none.txt',
    change: (path) => {
      world.advance(1000);
      return Promise.resolve(world.edit(idOf(path), { content: `Changed\n${text.repeat(3)}` }));
    },
    remove: (path) => Promise.resolve(world.trash(idOf(path))),
    checkpoints: true,
    moveFolder: () => {
      world.move(folder.id, world.createFolder('Other').id);
      return Promise.resolve();
    },
    expireCursors: () => Promise.resolve(world.expireChanges()),
    expireAccess: () => Promise.resolve(world.expireAccess()),
    replaceCredential: () => {
      world.expireAccess();
      world.refreshTokens.clear();
      world.refreshTokens.add('refresh-2');
      return Promise.resolve({ refresh_token: 'refresh-2' });
    },
    refused: [{ base_url: 'googleapis.com' }, { drive_id: 'a/b' }, { subject: 'ann' }],
    unreachable: { config: { ...config, refresh_token: secret } },
    secret,
  };
}

await testConformance(
  test,
  async (work) => {
    await using fake = await startFakeDrive();
    await work(subjectOn(fake));
  },
  ['browse', 'coupled', 'emptyTarget', 'grep', 'paths', 'records', 'since', 'stat', 'watch'],
);

test.run();
