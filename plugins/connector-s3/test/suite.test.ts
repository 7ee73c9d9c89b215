// test-timeout: 300
// test-waits
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { noObjectStore, startObjectStore } from '@trove/test-support/object-store.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Corner, defaults, plugin } from './source.js';

const test = suite('S3 connector, conformance');

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?+&=.md': Buffer.from('one\ntwo .* two\nthree'),
  "docs/deep/😀 (it's) *all*!~.ts": Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'new\nline "quoted" \\ <b>&amp;\u0001': Buffer.from('odd name\n'),
  'docs/empty.txt': Buffer.from(''),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

async function subjectOn(corner: Corner): Promise<ConnectorSubject> {
  for (const [key, bytes] of Object.entries(world)) await corner.put(key, bytes);
  const config = { ...defaults, ...corner.config };
  const secret = 'not-the-secret-of-anybody';
  return {
    plugin,
    target: corner.target,
    config,
    http: connectorHttp(),
    objects: Object.entries(world).map(([path, bytes]) => ({ path, bytes })),
    absent: 'docs/nothing here.md',
    change: (path) => corner.put(path, `changed ${path}\n`.repeat(9)),
    remove: (path) => corner.remove(path),
    emptyTarget: `${corner.target}-empty`,
    refused: [{ endpoint: 'minio:9000' }, { bucket: 'x' }],
    unreachable: { config: { ...config, secret_access_key: secret } },
    secret,
  };
}

if (noObjectStore === null) {
  const store = await startObjectStore();
  test.after(() => store.stop());
  await testConformance(test, async (work) => work(await subjectOn(new Corner(store))), [
    'changes',
    'checkpoints',
    'close',
    'grep',
    'records',
    'watch',
    'paths',
    'coupled',
    'expireAccess',
    'explain',
    'replaceCredential',
  ]);
} else {
  testUnless(noObjectStore, test)('conforms on an object store', () => undefined);
}

test.run();
