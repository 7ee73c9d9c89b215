// test-waits
import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { testUnless } from '@trove/test-support/skips.js';
import { noSshServer, startSshServer } from '@trove/test-support/ssh-server.js';
import plugin from '../src/index.js';
import { RemoteFolder } from './remote-folder.js';

const test = suite('SFTP connector, conformance');

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?+&=;.md': Buffer.from('one\ntwo .* two\nthree'),
  "docs/deep/😀 (it's) *all*!~.ts": Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'docs/new\nline "quoted" \\': Buffer.from('odd name\n'),
  'docs/empty.txt': Buffer.from(''),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

async function subjectIn(folder: RemoteFolder): Promise<ConnectorSubject> {
  for (const [path, bytes] of Object.entries(world)) {
    await folder.put(path, bytes);
    // Files without a fingerprint would differ from themselves some seconds later.
    await utimes(join(folder.path, path), 1_700_000_000, 1_700_000_000);
  }
  await mkdir(join(folder.path, 'empty'));
  const secret = 'not-the-password-of-anybody';
  const { host_key } = folder.config;
  return {
    plugin,
    target: folder.target,
    config: folder.config,
    objects: Object.entries(world).map(([path, bytes]) => ({ path, bytes })),
    absent: 'docs/nothing here.md',
    change: (path) => folder.put(path, `changed ${path}\n`.repeat(9)),
    remove: (path) => folder.removeFile(path),
    emptyTarget: `${folder.target}/empty`,
    refused: [{ port: 0 }, { host_key: 'MD5:12' }],
    unreachable: { config: { host_key, password: secret } },
    secret,
  };
}

if (noSshServer === null) {
  const server = await startSshServer();
  test.after(() => server.stop());
  const inFolder = async (work: (subject: ConnectorSubject) => Promise<void>): Promise<void> => {
    const folder = await RemoteFolder.make(server);
    try {
      await work(await subjectIn(folder));
    } finally {
      await folder.remove();
    }
  };
  await testConformance(test, inFolder, [
    'changes',
    'checkpoints',
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
  testUnless(noSshServer, test)('conforms on OpenSSH', () => undefined);
}

test.run();
