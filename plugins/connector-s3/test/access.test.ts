import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorContext } from '@trove/testkit';
import { AwsV4Signer } from 'aws4fetch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { connectorHttp } from '../../../scripts/test-support/connector-http.js';
import { accessOf } from '../src/access.js';
import { keyOf, pathOf } from '../src/keys.js';
import { addressOf } from '../src/place.js';
import { calm, defaults, listed, plugin } from './source.js';

const test = suite('keys and addresses of buckets');

async function withProfiles(
  run: (env: { AWS_CONFIG_FILE: string; AWS_SHARED_CREDENTIALS_FILE: string }) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'trove-s3-'));
  const env = {
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
  };
  try {
    await writeFile(
      env.AWS_CONFIG_FILE,
      '[default]\nregion = eu-west-1\n\n[profile  work]\nregion=ap-south-1\nendpoint_url = http://store:9000/\ns3 =\n  region = wrong\n',
    );
    await writeFile(
      env.AWS_SHARED_CREDENTIALS_FILE,
      '# mine\n[default]\naws_access_key_id = D\naws_secret_access_key = DS\r\n[work]\naws_access_key_id=W\naws_secret_access_key = W=S \naws_session_token = T\n',
    );
    await run(env);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('come from the settings, the environment or a profile, in this order', () =>
  withProfiles(async (files) => {
    const own = { access_key_id: 'O', secret_access_key: 'OS' };
    const env = { ...files, AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 'ES' };
    const idOf = async (config: object, where: object): Promise<unknown> =>
      (await accessOf({ ...defaults, ...config }, { ...where })).credentials?.accessKeyId;
    assert.is(await idOf(own, env), 'O');
    assert.is(await idOf({}, env), 'E');
    assert.is(await idOf({}, files), 'D');
    assert.is(await idOf({}, { ...files, AWS_PROFILE: 'work' }), 'W');
    assert.is(await idOf({ profile: 'work' }, env), 'W', 'whoever names a profile means it');
    assert.is(await idOf({ anonymous: true }, env), undefined);
    assert.equal(await accessOf({ ...defaults, profile: 'work' }, files), {
      credentials: { accessKeyId: 'W', secretAccessKey: 'W=S', sessionToken: 'T' },
      region: 'ap-south-1',
      endpoint: 'http://store:9000',
    });
    const { region, endpoint } = await accessOf(
      { ...defaults, region: 'here', endpoint: 'http://own/' },
      { ...env, AWS_REGION: 'there', AWS_ENDPOINT_URL: 'http://there' },
    );
    assert.equal([region, endpoint], ['here', 'http://own']);
    const byEnvironment = await accessOf(defaults, {
      ...env,
      AWS_DEFAULT_REGION: 'there',
      AWS_ENDPOINT_URL: 'http://there',
    });
    assert.equal([byEnvironment.region, byEnvironment.endpoint], ['there', 'http://there']);
  }));

/** A store with one object, for whoever signs with the key of the moment. */
async function storeWithKey(): Promise<{
  readonly endpoint: string;
  key: { id: string; secret: string };
  stop(): void;
}> {
  const server = createServer((request, response) => {
    void (async () => {
      const { id, secret } = store.key;
      const { authorization = '', 'x-amz-date': datetime } = request.headers;
      const signer = new AwsV4Signer({
        accessKeyId: id,
        secretAccessKey: secret,
        url: `${store.endpoint}${request.url}`,
        datetime: String(datetime),
        region: 'us-east-1',
        service: 's3',
      });
      const isGood = (await signer.sign()).headers.get('authorization') === authorization;
      const object = '<Contents><Key>a.md</Key><Size>1</Size></Contents>';
      const answer = isGood
        ? `<ListBucketResult><IsTruncated>false</IsTruncated>${object}</ListBucketResult>`
        : '<Error><Code>InvalidAccessKeyId</Code></Error>';
      response.writeHead(isGood ? 200 : 403, { 'content-type': 'application/xml' }).end(answer);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const store = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: { id: 'first', secret: 'one' },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return store;
}

test('that were replaced count at once, and one that is refused is no other than the one before', async () => {
  const store = await storeWithKey();
  try {
    let key = store.key;
    const names: Readonly<Record<string, () => string>> = {
      access_key_id: () => key.id,
      secret_access_key: () => key.secret,
    };
    const context = connectorContext({
      config: { ...defaults, endpoint: store.endpoint, region: 'us-east-1' },
      target: 's3://bucket',
      http: connectorHttp(),
    });
    const get = async (name: string): Promise<string | undefined> => names[name]?.();
    const connector = await plugin.create({
      ...context,
      credentials: { ...context.credentials, get },
    });
    assert.is((await listed(connector)).length, 1);
    store.key = { id: 'second', secret: 'two' };
    assert.equal(await connector.check?.({ signal: calm() }), {
      ok: false,
      detail:
        'The store does not know the access key id. Correct `access_key_id`, and `endpoint` if the key is of another store.',
    });
    key = store.key;
    assert.is((await listed(connector)).length, 1);
    store.key = key = { id: 'second', secret: 'three' };
    assert.is((await listed(connector)).length, 1);
  } finally {
    store.stop();
  }
});

test('the name of a bucket is in the host or in the path', () => {
  const amazon = { endpoint: null, region: 'eu-north-1' };
  assert.is(addressOf('docs', amazon), 'https://docs.s3.eu-north-1.amazonaws.com');
  assert.is(addressOf('my.docs', amazon), 'https://s3.eu-north-1.amazonaws.com/my.docs');
  assert.is(addressOf('docs', amazon, false), 'https://s3.eu-north-1.amazonaws.com/docs');
  const china = { endpoint: null, region: 'cn-north-1' };
  assert.is(addressOf('docs', china), 'https://docs.s3.cn-north-1.amazonaws.com.cn');
  const own = { endpoint: 'http://minio:9000', region: 'x' };
  assert.is(addressOf('docs', own), 'http://minio:9000/docs');
  assert.is(addressOf('docs', own, true), 'http://docs.minio:9000');
  const inHost = { endpoint: 'https://docs.nyc3.example.com', region: 'x' };
  assert.is(addressOf('docs', inHost, true), 'https://docs.nyc3.example.com');
});

test('a key comes back from its path, and a path belongs to one key', () => {
  const keys = ['a', 'a/b', 'a//b', '/a', 'a/', '//', 'a/./b', '../a', '..', '.', '...', '.a/..b'];
  const likeEscapes = [
    '%2F',
    'a/%2E/b',
    '%252F',
    '%2E%2E',
    '%25252E%2E',
    '%2',
    '%2f',
    '100%25',
    '%',
  ];
  const all = [...keys, ...likeEscapes];
  const paths = all.map(pathOf);
  assert.equal(paths.map(keyOf), all);
  assert.is(new Set(paths).size, all.length);
  for (const path of paths) assert.not.match(path, /(^|\/)\.{0,2}(\/|$)/);
  for (const path of ['/a', 'a//b', 'a/../b', './a', 'a/', 'a\0']) assert.is(keyOf(path), null);
});

test.run();
