// test-timeout: 300
// test-waits
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  noObjectStore,
  startObjectStore,
  type ObjectStore,
} from '@trove/test-support/object-store.js';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeS3, type FakeS3 } from '@trove/test-support/fake-s3.js';
import { groupOf, neverAborted, row, spec, unit } from '@trove/test-support/index-rows.js';
import { testUnless } from '@trove/test-support/skips.js';
import { LanceIndex } from '../src/database.js';
import { loadLance } from '../src/lance.js';
import { endpointOf, s3Options, storeOf, type LanceConfig } from '../src/object-store.js';

const test = suite('an object store');
const onCeph = testUnless(noObjectStore, test);
const imitated = 's3://trove/index';
const writer = fileURLToPath(new URL('fixtures/writer.ts', import.meta.url));
let ceph: ObjectStore | undefined;

test.before(async () => {
  if (noObjectStore === null) ceph = await startObjectStore();
});
test.after(() => ceph?.stop());

async function withImitation(
  ignoresConditions: boolean,
  run: (store: FakeS3, config: LanceConfig) => Promise<void>,
  truncated?: RegExp,
): Promise<void> {
  const store = await startFakeS3({
    ignoresConditions,
    ...(truncated === undefined ? {} : { truncated }),
  });
  const { endpoint } = store;
  try {
    await run(store, { endpoint, access_key_id: 'someone', secret_access_key: 'secret' });
  } finally {
    await store.stop();
  }
}

async function withIndex(
  config: LanceConfig,
  run: (index: LanceIndex) => Promise<void> = async () => undefined,
  uri = imitated,
): Promise<void> {
  const index = await LanceIndex.connect({
    uri,
    config,
    logger: silentLogger,
    workers: testWorkers,
  });
  try {
    await run(index);
  } finally {
    await index.close();
  }
}

const written = ({ requests }: FakeS3): number =>
  requests.filter(({ method }) => method === 'PUT').length;

test('rejects a store that overwrites objects and leaves nothing in it', () =>
  withImitation(true, async (store, config) => {
    const attempts = [1, 2, 3].map(() => rejection(() => withIndex(config)));
    for (const error of await Promise.all(attempts)) {
      assert.is(error.code, 'config_invalid');
      assert.match(error.detail, `index.uri: ${store.endpoint} loses rows`);
      assert.match(error.suggestions.join(), 'conditional writes');
    }
    assert.equal(store.paths(), []);
  }));

test('rejects a store that overwrites a commit during a read', () =>
  withImitation(
    true,
    async (store, config) => {
      const error = await rejection(() => withIndex(config));
      assert.is(error.code, 'config_invalid');
      assert.match(error.detail, `index.uri: ${store.endpoint} loses rows`);
      assert.equal(store.paths(), []);
    },
    /_versions\/.*manifest/,
  ));

test('checks a correct store only once', () =>
  withImitation(false, async (store, config) => {
    await withIndex(config);
    const first = written(store);
    await withIndex(config, async (index) => {
      assert.is(written(store), first);
      assert.equal(await index.collections(), [], 'the list omits internal tables');
    });
    const left = store.paths().filter((path) => path.includes('probe'));
    assert.equal(left, [], 'the tables of the check were removed');
    await withIndex({ ...config, endpoint: store.endpoint.replace('127.0.0.1', 'localhost') });
    assert.ok(written(store) > first, 'another address may be another store');
  }));

test('removes tables of processes that died during the check', () =>
  withImitation(false, async (store, config) => {
    const connection = await loadLance().connect(imitated, { storageOptions: s3Options(config) });
    const [old, young] = [Date.now() - 2 * 60 * 60 * 1000, Date.now()];
    for (const time of [old, young]) {
      (await connection.createTable(`trove.store.probe_${time}_x`, [{ writer: 'x' }])).close();
    }
    connection.close();
    await withIndex(config);
    const paths = store.paths().join('\n');
    assert.not.match(paths, `probe_${old}`);
    assert.match(paths, `probe_${young}`);
  }));

test('passes key, region, session token and bucket style to the store', () =>
  withImitation(false, async (store, config) => {
    await withIndex({ ...config, region: 'eu-north-1', session_token: 'for-an-hour' });
    const [first] = store.requests;
    assert.match(
      String(first?.headers['authorization']),
      /Credential=someone\/\d{8}\/eu-north-1\/s3\//,
    );
    assert.is(first?.headers['x-amz-security-token'], 'for-an-hour');
    assert.match(first?.path ?? '', /^\/trove/);
    const seen = store.requests.length;
    // The fake store cannot tell a bucket from a folder here, so it refuses the request.
    await rejection(() => withIndex({ ...config, virtual_hosted_style: true }));
    assert.is(store.requests[seen]?.path, '/');
  }));

test('reads missing settings from the environment', () => {
  const env = { AWS_ENDPOINT_URL: 'http://store:9000', AWS_REGION: 'eu-north-1' };
  assert.equal(s3Options({}, env), {
    aws_endpoint: 'http://store:9000',
    allow_http: 'true',
    aws_region: 'eu-north-1',
  });
  assert.is(endpointOf({ endpoint: 'https://own' }, env), 'https://own');
  assert.is(endpointOf({}, { ...env, AWS_ENDPOINT_URL_S3: 'https://s3' }), 'https://s3');
  assert.is(s3Options({ endpoint: 'https://own' }, {})['aws_region'], 'us-east-1');
  assert.equal(s3Options({}, {}), {}, 'the library has its own defaults for Amazon');
});

test('does not check folders and other locations', () => {
  assert.is(storeOf('/index', {}), null);
  assert.is(storeOf('db://index', {}), null);
  assert.is(storeOf('az://container/index', {}), 'Azure Blob Storage');
  assert.is(storeOf('gs://bucket/index', {}), 'Google Cloud Storage');
});

function onRealOne(): { config: LanceConfig; uri: string } {
  assert.ok(ceph);
  const { endpoint, bucket, accessKeyId, secretAccessKey } = ceph;
  return {
    config: { endpoint, access_key_id: accessKeyId, secret_access_key: secretAccessKey },
    uri: `s3://${bucket}/index`,
  };
}

onCeph('Ceph keeps and finds the rows of three concurrent writers', async () => {
  const { config, uri } = onRealOne();
  await withIndex(
    config,
    async (index) => {
      const collection = await index.collection(spec);
      const exits = ['a', 'b', 'c'].map((name) => write(config, uri, name));
      assert.equal(await Promise.all(exits), ['', '', '']);
      for (const name of ['a', 'b', 'c']) {
        const rows = await collection.rows(`own ${name}`);
        assert.equal(
          rows.map(({ id }) => id),
          groupOf(`own ${name}`, 2, `${name}1`).rows.map(({ id }) => id),
        );
      }
      const shared = await collection.rows('shared');
      assert.is(new Set(shared.map(({ id }) => id.split(':')[1])).size, 1, 'rows of one writer');
      const lantern = row('9', 'lantern', { terms: 'lantern' });
      await collection.replace([{ group: 'lantern', rows: [lantern] }], neverAborted);
      await collection.optimize();
      const found = await collection.search({
        sparse: { terms: ['lantern'], pairs: [] },
        vector: unit(9),
        pairWeight: 1,
        candidates: 1,
        ...neverAborted,
      });
      const keys = [found.sparse[0]?.key ?? '', found.dense[0]?.key ?? ''];
      assert.equal(
        (await collection.identify(keys)).map((each) => each?.id),
        ['9', '9'],
      );
      assert.equal(await index.collections(), [spec.name]);
    },
    uri,
  );
});

onCeph('distinguishes wrong credentials, a missing bucket and a silent store', async () => {
  const { config, uri } = onRealOne();
  const errorOf = (other: LanceConfig, place = uri) =>
    rejection(() =>
      LanceIndex.connect({
        uri: place,
        config: { ...config, ...other },
        logger: silentLogger,
        workers: testWorkers,
      }),
    );
  const errors = await Promise.all([
    errorOf({ secret_access_key: 'wrong' }),
    errorOf({}, 's3://another/index'),
    errorOf({ endpoint: 'http://127.0.0.1:1' }),
  ]);
  assert.equal(
    errors.map(({ code, detail }) => [code, detail]),
    [
      [
        'storage_unavailable',
        'The index could not be opened: the object store refused the credentials',
      ],
      ['storage_unavailable', 'The index could not be opened: the bucket does not exist'],
      ['storage_unavailable', 'The index could not be opened: the object store cannot be reached'],
    ],
  );
});

/** Runs two replacements in another process that configures the store by its environment. Returns its stderr. */
async function write(config: LanceConfig, uri: string, name: string): Promise<string> {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: config.endpoint,
    AWS_ACCESS_KEY_ID: config.access_key_id,
    AWS_SECRET_ACCESS_KEY: config.secret_access_key,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', writer, uri, name, '2'], { env });
  let errors = '';
  child.stdout.resume();
  child.stderr.on('data', (text: Buffer) => (errors += text.toString()));
  await once(child, 'close');
  return errors;
}

test.run();
