// test-waits
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';

import { testConformance } from '@trove/test-support/conformance.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { noDavServer, startDavServer } from '@trove/test-support/dav-server.js';
import { testUnless } from '@trove/test-support/skips.js';
import plugin from '../src/index.js';
import { DavFolder } from './dav-folder.js';

const test = suite('WebDAV connector, conformance');

const world: Readonly<Record<string, Uint8Array>> = {
  'README.md': Buffer.from('# Title\n\nSome prose here, and more.\nlast line\n'),
  'docs/100% sure #1 ?+&=;.md': Buffer.from('one\ntwo .* two\nthree'),
  "docs/deep/😀 (it's) *all*!~.ts": Buffer.from('export const a = 1;\r\nexport const b = 2;\r\n'),
  'docs/latin1.txt': Buffer.from('caf\xe9, here\nis one more\n', 'latin1'),
  'docs/"quoted" \\ <b>&amp;': Buffer.from('odd name\n'),
  'docs/empty.txt': Buffer.from(''),
  'data/blob.bin': Uint8Array.from([0, 1, 2, 255, 0]),
};

async function subjectIn(folder: DavFolder): Promise<ConnectorSubject> {
  for (const [path, bytes] of Object.entries(world)) await folder.put(path, bytes);
  await mkdir(join(folder.path, 'empty'));
  const secret = 'not-the-password-of-anybody';
  return {
    plugin,
    target: 'webdav://nas',
    config: { ...folder.login, url: folder.url },
    http: connectorHttp(),
    objects: Object.entries(world).map(([path, bytes]) => ({ path, bytes })),
    absent: 'docs/nothing here.md',
    change: (path) => folder.put(path, `changed ${path}\n`.repeat(9)),
    remove: (path) => folder.remove(path),
    emptyTarget: 'webdav://nas/empty',
    refused: [{ url: 'nas:9000' }, { url: 'https://ada:secret@nas' }],
    unreachable: { config: { url: folder.url, user: 'ada', password: secret } },
    secret,
  };
}

if (noDavServer === null) {
  const server = await startDavServer();
  test.after(() => server.stop());
  await testConformance(test, async (work) => work(await subjectIn(new DavFolder(server))), [
    'changes',
    'checkpoints',
    'grep',
    'records',
    'watch',
    'paths',
    'close',
    'coupled',
    'expireAccess',
    'explain',
    'replaceCredential',
  ]);
} else {
  testUnless(noDavServer, test)('conforms on Apache', () => undefined);
}

test.run();
