import type { ConnectorSubject } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testConformance } from '@trove/test-support/conformance.js';
import { startFakeService } from '../../src/http/fake/index.js';
import { suite } from 'uvu';

import { drivePlugin } from './drive-plugin.js';
import { Drive } from './drive-service.js';

const test = suite('conformance of a described web service with folders');
const content = 'first line\nsecond line\nthird line\n';
const firstModified = 1_700_000_000_000;

async function withSubject(work: (subject: ConnectorSubject) => Promise<void>): Promise<void> {
  const drive = new Drive();
  await using service = await startFakeService(drive);
  drive.putFolder('f1', 'papers');
  drive.putFolder('f2', 'old #1 100%', 'f1');
  drive.put('a', { name: 'a ✨.txt', parent: 'f2', content, modified: firstModified });
  drive.put('b', { name: 'b.txt', content, modified: firstModified });
  drive.put('c', { name: 'c.txt', parent: 'f1', content, modified: firstModified });
  const idOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -4).slice(0, 1);
  let folderName = 'papers';
  await work({
    plugin: drivePlugin,
    target: 'drive://team',
    config: { url: service.origin },
    refused: [{ address: service.origin }],
    http: connectorHttp(),
    objects: ['papers/old #1 100%/a ✨.txt', 'b.txt', 'papers/c.txt'].map((path) => ({
      path,
      bytes: Buffer.from(content),
    })),
    absent: 'papers/nothing.txt',
    checkpoints: true,
    change: async (path) => {
      drive.put(idOf(path), { content: `${content}fourth\n`, modified: firstModified + 5000 });
    },
    remove: async (path) => drive.remove(idOf(path)),
    moveFolder: async () => {
      folderName += ' (moved)';
      drive.putFolder('f1', folderName);
    },
    expireCursors: async () => {
      drive.oldestToken = Number.MAX_SAFE_INTEGER;
    },
    unreachable: { config: { url: `${service.origin}/nowhere` } },
  });
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
