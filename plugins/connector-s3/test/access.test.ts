import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectorContext } from '@trove/testkit';
import { AwsV4Signer } from 'aws4fetch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { rejection } from '@trove/test-support/rejection.js';
import { loadAccess, type S3Credentials } from '../src/access.js';
import { keyOf, pathOf } from '@trove/connector-kit/storage';
import { bucketUrlOf, bucketLocationOf } from '../src/bucket-location.js';
import { RoleCredentials } from '../src/role-credentials.js';
import { calm, defaults, listed, plugin } from './source.js';

const test = suite('S3 connector, access keys and addresses');

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

test('takes keys from settings, environment or profile, in this order', () =>
  withProfiles(async (files) => {
    const own = { access_key_id: 'O', secret_access_key: 'OS' };
    const env = { ...files, AWS_ACCESS_KEY_ID: 'E', AWS_SECRET_ACCESS_KEY: 'ES' };
    const idOf = async (config: object, where: object): Promise<unknown> =>
      (await loadAccess({ ...defaults, ...config }, { ...where })).credentials?.accessKeyId;
    assert.is(await idOf(own, env), 'O');
    assert.is(await idOf({}, env), 'E');
    assert.is(await idOf({}, files), 'D');
    assert.is(await idOf({}, { ...files, AWS_PROFILE: 'work' }), 'W');
    assert.is(
      await idOf({ profile: 'work' }, env),
      'W',
      'a configured profile takes precedence over the environment',
    );
    assert.is(await idOf({ anonymous: true }, env), undefined);
    assert.equal(await loadAccess({ ...defaults, profile: 'work' }, files), {
      credentials: { accessKeyId: 'W', secretAccessKey: 'W=S', sessionToken: 'T' },
      region: 'ap-south-1',
      endpoint: 'http://store:9000',
    });
    const { region, endpoint } = await loadAccess(
      { ...defaults, region: 'here', endpoint: 'http://own/' },
      { ...env, AWS_REGION: 'there', AWS_ENDPOINT_URL: 'http://there' },
    );
    assert.equal([region, endpoint], ['here', 'http://own']);
    const byEnvironment = await loadAccess(defaults, {
      ...env,
      AWS_DEFAULT_REGION: 'there',
      AWS_ENDPOINT_URL: 'http://there',
    });
    assert.equal([byEnvironment.region, byEnvironment.endpoint], ['there', 'http://there']);
  }));

/** Starts a store with one object that accepts only its current key. */
async function storeWithKey(): Promise<{
  readonly endpoint: string;
  key: { id: string; secret: string };
  stop(): Promise<void>;
}> {
  const server = await listen((request, response) => {
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
  const store = {
    endpoint: server.origin,
    key: { id: 'first', secret: 'one' },
    stop: () => server.stop(),
  };
  return store;
}

test('uses a replaced key at once after a rejection', async () => {
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
        'The store does not know the access key id. Correct `access_key_id`, or `endpoint` if the key is for another store.',
    });
    key = store.key;
    assert.is((await listed(connector)).length, 1);
    store.key = key = { id: 'second', secret: 'three' };
    assert.is((await listed(connector)).length, 1);
  } finally {
    await store.stop();
  }
});

test('takes keys from the role of a pod, a container or a machine last', () =>
  withProfiles(async (files) => {
    let expires = '2100-01-01T00:00:00Z';
    const asked: string[] = [];
    await using server = await listen((request, response) => {
      let body = '';
      request.on('data', (piece: Buffer) => (body += piece.toString()));
      request.on('end', () => {
        const { method, url = '', headers } = request;
        asked.push(`${method} ${url}`);
        const key = { SecretAccessKey: 's', Expiration: expires };
        const isToken = headers['x-aws-ec2-metadata-token'] === 'session';
        const isPod = new URLSearchParams(body).get('WebIdentityToken') === 'of the pod';
        const answers: Readonly<Record<string, [boolean, unknown]>> = {
          'POST /': [
            isPod,
            {
              AssumeRoleWithWebIdentityResponse: {
                AssumeRoleWithWebIdentityResult: {
                  Credentials: {
                    ...key,
                    AccessKeyId: 'pod',
                    SessionToken: 't',
                    Expiration: Date.parse(expires) / 1000,
                  },
                },
              },
            },
          ],
          'GET /container': [
            headers.authorization === 'let me',
            { ...key, AccessKeyId: 'container', Token: 't' },
          ],
          'PUT /latest/api/token': [true, 'session'],
          'GET /latest/meta-data/iam/security-credentials/': [isToken, 'reader'],
          'GET /latest/meta-data/iam/security-credentials/reader': [
            isToken,
            { ...key, AccessKeyId: 'machine', Token: 't' },
          ],
        };
        const [isGood, answer] = answers[`${method} ${url}`] ?? [false, null];
        response.writeHead(isGood ? 200 : 403);
        response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
      });
    });
    const here = server.origin;
    const file = `${files.AWS_CONFIG_FILE}-token`;
    await writeFile(file, 'of the pod\n');
    const none = { AWS_CONFIG_FILE: file, AWS_SHARED_CREDENTIALS_FILE: file };
    const machine = { ...none, AWS_EC2_METADATA_SERVICE_ENDPOINT: here };
    const container = { ...machine, AWS_CONTAINER_CREDENTIALS_FULL_URI: `${here}/container` };
    const inContainer = { ...container, AWS_CONTAINER_AUTHORIZATION_TOKEN: 'let me' };
    const pod = {
      ...inContainer,
      AWS_ENDPOINT_URL_STS: here,
      AWS_ROLE_ARN: 'arn:aws:iam::1:role/reader',
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
    };
    const keyIn = async (
      env: object,
      config = {},
      roles = new RoleCredentials(connectorHttp()),
    ) => {
      const given = { ...defaults, ...config };
      const access = await loadAccess(given, { ...env }, (...at) => roles.get(...at));
      return access.credentials;
    };
    const keyOfRole = (accessKeyId: string): S3Credentials => ({
      accessKeyId,
      secretAccessKey: 's',
      sessionToken: 't',
    });
    assert.equal(await keyIn(machine), keyOfRole('machine'));
    assert.equal(await keyIn(inContainer), keyOfRole('container'));
    assert.equal(await keyIn(pod), keyOfRole('pod'));
    assert.is((await keyIn({ ...pod, ...files }))?.accessKeyId, 'D', 'a profile comes first');
    const refused = await rejection(() => keyIn(container));
    assert.is(refused.code, 'credential_error');
    assert.match(refused.message, /no key for the role of this container: .* answers HTTP 403/);
    // Another store, or a disabled metadata service, has no role.
    const off = { ...machine, AWS_EC2_METADATA_DISABLED: 'true' };
    for (const [env, config] of [
      [off, {}],
      [pod, { endpoint: 'http://minio:9000' }],
      [pod, { profile: 'other' }],
    ] as const)
      assert.match((await rejection(() => keyIn(env, config))).message, 'There is no access key');

    // The credentials are cached until they nearly expire or are rejected.
    const roles = new RoleCredentials(connectorHttp());
    const times = async (): Promise<number> => {
      const before = asked.length;
      await keyIn(inContainer, {}, roles);
      return asked.length - before;
    };
    assert.equal([await times(), await times()], [1, 0]);
    roles.invalidate();
    expires = new Date(Date.now() + 60_000).toISOString();
    assert.equal([await times(), await times()], [1, 1]);
  }));

test('puts the bucket name into the host or into the path', () => {
  const amazon = { endpoint: null, region: 'eu-north-1' };
  assert.is(bucketUrlOf('docs', amazon), 'https://docs.s3.eu-north-1.amazonaws.com');
  assert.is(bucketUrlOf('my.docs', amazon), 'https://s3.eu-north-1.amazonaws.com/my.docs');
  assert.is(bucketUrlOf('docs', amazon, false), 'https://s3.eu-north-1.amazonaws.com/docs');
  const china = { endpoint: null, region: 'cn-north-1' };
  assert.is(bucketUrlOf('docs', china), 'https://docs.s3.cn-north-1.amazonaws.com.cn');
  const own = { endpoint: 'http://minio:9000', region: 'x' };
  assert.is(bucketUrlOf('docs', own), 'http://minio:9000/docs');
  assert.is(bucketUrlOf('docs', own, true), 'http://docs.minio:9000');
  const inHost = { endpoint: 'https://docs.nyc3.example.com', region: 'x' };
  assert.is(bucketUrlOf('docs', inHost, true), 'https://docs.nyc3.example.com');
  const behind = { endpoint: 'https://x.supabase.co/storage/v1/s3', region: '' };
  assert.is(bucketUrlOf('docs', behind), 'https://x.supabase.co/storage/v1/s3/docs');
  assert.is(bucketUrlOf('docs', behind, true), 'https://docs.x.supabase.co/storage/v1/s3');
});

test('converts every key to a unique path and back', () => {
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

test('accepts a target name for a configured bucket and folder', () => {
  const config = { bucket: 'team-docs-7', prefix: 'wiki/en/' };
  const at = (target: string) => {
    const { bucket, key } = bucketLocationOf(target, config);
    return `${bucket} ${key}`;
  };
  assert.is(at('s3://docs'), 'team-docs-7 wiki/en');
  assert.is(at('s3://docs/guide'), 'team-docs-7 wiki/en/guide');
  const named = bucketLocationOf('s3://docs/guide', { prefix: 'wiki' });
  assert.equal([named.bucket, named.key], ['docs', 'wiki/guide']);
});

test.run();
