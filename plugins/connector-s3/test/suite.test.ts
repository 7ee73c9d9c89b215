// test-timeout: 300
// test-waits
import { connectorCases, selectConnectorCases, type ConnectorSubject } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { connectorHttp } from '@trove/test-support/connector-http.js';
import { noObjectStore, startObjectStore } from '@trove/test-support/object-store.js';
import { testUnless } from '@trove/test-support/optional.js';
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
  const { cases, skipped } = await selectConnectorCases(await subjectOn(new Corner(store)));
  for (const each of cases) {
    test(each.title, async () => each.run(await subjectOn(new Corner(store))));
  }
  for (const { id, reason } of skipped) console.log(`skipped: ${id}, ${reason}`);

  test('only what is about records, cursors and grep is skipped', () => {
    const reasons = new Set(skipped.map(({ reason }) => reason));
    assert.equal([...reasons].sort(), [
      'the connector has no `changes`',
      'the connector has no `close`',
      'the connector has no `grep`',
      'the connector has no `records`',
      'the connector has no `watch`',
      "the plugin's capabilities do not have `paths`",
      'the subject has no `coupled`',
      'the subject has no `expireAccess`',
      'the subject has no `replaceCredential`',
    ]);
    assert.is(cases.length + skipped.length, connectorCases.length);
  });
} else {
  testUnless(noObjectStore, test)('it holds on an object store', () => undefined);
}

test.run();
