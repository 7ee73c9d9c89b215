// test-timeout: 300
// test-waits
import { createServer as createTlsServer } from 'node:https';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import {
  noObjectStore,
  startObjectStore,
  type ObjectStore,
} from '@trove/test-support/object-store.js';
import { rejection } from '@trove/test-support/rejection.js';
import { untrustedCertificate } from '@trove/test-support/untrusted-certificate.js';
import { testUnless } from '@trove/test-support/skips.js';
import { bucketWithPolicy, calm, Corner, listed, open, textAt } from './source.js';

const test = suite('S3 connector, failures');
const onStore = testUnless(noObjectStore, test);
const key = { access_key_id: 'somebody', secret_access_key: 'a-secret' };
let store: ObjectStore;

test.before(async () => {
  if (noObjectStore === null) store = await startObjectStore();
});
test.after(() => store?.stop());

/** Returns the detail of a failed check. */
async function said(target: string, config: object): Promise<string> {
  const { ok, detail } = await open(target, config).check({ signal: calm() });
  assert.is(ok, false, detail);
  return detail;
}

onStore('explains each failure and suggests a remedy', async () => {
  const corner = new Corner(store);
  const { config, target } = corner;
  const host = new URL(store.endpoint).host;
  assert.equal(await corner.open().check({ signal: calm() }), {
    ok: true,
    detail: `The bucket "${store.bucket}" can be listed, but it has no objects there.`,
  });
  assert.is(
    await said(target, { ...config, secret_access_key: 'wrong' }),
    'The secret access key is wrong. Correct `secret_access_key`. It belongs to the `access_key_id`.',
  );
  assert.is(
    await said(target, { ...config, access_key_id: 'nobody' }),
    'The store does not know the access key id. Correct `access_key_id`, or `endpoint` if the key is for another store.',
  );
  assert.is(
    await said('s3://no-such-bucket-here', config),
    `There is no bucket "no-such-bucket-here" at ${host}. Correct the name in the target, or \`endpoint\`.`,
  );
  assert.is(
    await said(target, { endpoint: store.endpoint, anonymous: true }),
    `A user without an access key may not list the bucket "${store.bucket}". Set an access key, or allow everyone to list it (s3:ListBucket).`,
  );
  const closed = await bucketWithPolicy(store, 'Deny', ['s3:ListBucket']);
  assert.is(
    await said(`s3://${closed}`, config),
    `The owner of the access key may not list the bucket "${closed}". Allow it to list the bucket and to read its objects (s3:ListBucket, s3:GetObject).`,
  );
});

onStore('rejects only the object that may not be read', async () => {
  const bucket = await bucketWithPolicy(store, 'Deny', ['s3:GetObject']);
  const source = open(`s3://${bucket}`, new Corner(store).config);
  assert.is((await listed(source)).length, 1);
  const error = await rejection(() => textAt(source, 'a.md'));
  assert.is(error.code, 'path_not_allowed');
  assert.is(error.detail, 'The owner of the access key may not read "a.md".');
});

onStore('reads a public bucket without a key', async () => {
  const bucket = await bucketWithPolicy(store, 'Allow', ['s3:ListBucket', 's3:GetObject']);
  const source = open(`s3://${bucket}`, { endpoint: store.endpoint, anonymous: true });
  assert.equal(await source.check({ signal: calm() }), {
    ok: true,
    detail: `The bucket "${bucket}" can be listed.`,
  });
  assert.is(await textAt(source, 'a.md'), 'open');
});

onStore('reports a wrong clock', async () => {
  const { target, config } = new Corner(store);
  const RealDate = Date;
  const anHour = 3_600_000;
  globalThis.Date = class extends RealDate {
    constructor(time: number | string = RealDate.now() + anHour) {
      super(time);
    }
  } as DateConstructor;
  try {
    assert.is(
      await said(target, config),
      "The clock of this machine differs too much from the store's clock. Set the clock of the machine that Trove runs on (timedatectl set-ntp true).",
    );
  } finally {
    globalThis.Date = RealDate;
  }
});

test('reports a host that refuses, does not answer or is not trusted', async () => {
  const off = await listen(() => undefined);
  await off.stop();
  assert.match(
    await said('s3://bucket', { ...key, endpoint: `http://127.0.0.1:${off.port}` }),
    /^127\.0\.0\.1:\d+ refuses connections\. Check the port, and whether the service is running\.$/,
  );
  const tls = await listen(createTlsServer(untrustedCertificate));
  const untrusted = { ...key, endpoint: `https://localhost:${tls.port}` };
  assert.match(
    await said('s3://bucket', untrusted),
    /^localhost:\d+ has a certificate that is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. If .* NODE_EXTRA_CA_CERTS/,
  );
  const error = await rejection(() => listed(open('s3://bucket', untrusted)));
  assert.is(error.retryable, false);
  await tls.stop();

  const silent = await listen(() => undefined);
  const started = performance.now();
  assert.is(
    await said('s3://bucket', { ...key, endpoint: `http://127.0.0.1:${silent.port}` }),
    'The store did not answer within 8 seconds. Check `endpoint` and the network.',
  );
  assert.ok(performance.now() - started >= 7900);
  await silent.stop();
});

test('reports a missing or incomplete key', async () => {
  const env = { ...process.env };
  for (const name of Object.keys(process.env)) {
    if (name.startsWith('AWS_')) delete process.env[name];
  }
  process.env['HOME'] = '/nowhere';
  process.env['AWS_EC2_METADATA_DISABLED'] = 'true';
  try {
    const source = open('s3://bucket', {});
    assert.is((await rejection(() => listed(source))).code, 'credential_error');
    assert.match(await said('s3://bucket', {}), /^There is no access key.*Set `access_key_id`/);
    assert.match(
      await said('s3://bucket', { profile: 'work' }),
      'no access key in the profile "work"',
    );
    const half = await rejection(() => listed(open('s3://bucket', { access_key_id: 'x' })));
    assert.is(half.code, 'config_invalid');
  } finally {
    delete process.env['AWS_EC2_METADATA_DISABLED'];
    Object.assign(process.env, env);
  }
});

test('rejects a target without a bucket, and one that leaves a folder', async () => {
  for (const target of [
    's3:///docs',
    's3://a',
    's3://bucket:9000/x',
    's3://user@bucket',
    's3://bucket/folder/..',
    's3://bucket/folder/%2e%2E/other',
  ])
    assert.is((await rejection(async () => open(target, key))).code, 'validation_error', target);
});

test.run();
