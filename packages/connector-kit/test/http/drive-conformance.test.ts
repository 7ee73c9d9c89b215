import type { ConnectorSubject } from '@trove/testkit';
import { testConformance } from '@trove/test-support/conformance.js';
import { suite } from 'uvu';

import { startHttpFake } from '../../src/http/fake/index.js';
import { drivePlugin } from './drive-plugin.js';

const test = suite('conformance of a described web service with folders');
const content = 'first line\nsecond line\nthird line\n';
const modified = 1_700_000_000_000;

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  await using fake = await startHttpFake(drivePlugin, { config: (url) => ({ url }) });
  fake.put('folders', { id: 'f1', name: 'papers', parent: 'root' });
  fake.put('folders', { id: 'f2', name: 'old #1 100%', parent: 'f1' });
  for (const [id, name, parent] of [
    ['a', 'a ✨.txt', 'f2'],
    ['b', 'b.txt', 'root'],
    ['c', 'c.txt', 'f1'],
  ] as const) {
    fake.put('files', { id, name, parent, type: 'text/plain', modified });
    fake.setContent('files', id, content);
  }
  await work(
    fake.subject({
      refused: [{ address: fake.origin }],
      objects: ['papers/old #1 100%/a ✨.txt', 'b.txt', 'papers/c.txt'].map((path) => ({
        path,
        bytes: Buffer.from(content),
      })),
      absent: 'papers/nothing.txt',
    }),
  );
}

await testConformance(test, withSubject, [
  'browse',
  'coupled',
  'emptyTarget',
  'expireAccess',
  'grep',
  'paths',
  'records',
  'replaceCredential',
  'secret',
  'since',
  'stat',
  'watch',
]);

test.run();
