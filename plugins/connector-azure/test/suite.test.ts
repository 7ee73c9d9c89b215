// test-slow
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { testUnless } from '@trove/test-support/skips.js';
import { Azurite, noAzurite, type TestContainer } from './azurite.js';
import { plugin } from './source.js';

const test = suite('Azure connector, conformance');

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?+&=.md': Buffer.from('one\ntwo .* two\nthree'),
  "docs/deep/😀 (it's) *all*!~.ts": Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'docs/"quoted" <b>&amp;': Buffer.from('odd name\n'),
  'docs/empty.txt': Buffer.from(''),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

async function subjectOn(container: TestContainer): Promise<ConnectorSubject> {
  for (const [name, bytes] of Object.entries(world)) await container.put(name, bytes);
  const secret = Buffer.from('the key of another account').toString('base64');
  return {
    plugin,
    target: container.target,
    config: container.config,
    http: connectorHttp(),
    objects: Object.entries(world).map(([path, bytes]) => ({ path, bytes })),
    absent: 'docs/nothing here.md',
    change: (path) => container.put(path, `changed ${path}\n`.repeat(9)),
    remove: (path) => container.remove(path),
    emptyTarget: `${container.target}/empty`,
    refused: [{ endpoint: 'azurite:10000' }, { account_key: '' }],
    unreachable: { config: { ...container.config, account_key: secret } },
    secret,
  };
}

if (noAzurite === null) {
  const azurite = await Azurite.start();
  test.after(() => azurite.stop());
  await testConformance(test, async (work) => work(await subjectOn(await azurite.container())), [
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
  testUnless(noAzurite, test)('conforms on Azurite', () => undefined);
}

test.run();
