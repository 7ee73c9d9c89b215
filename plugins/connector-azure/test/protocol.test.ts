import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { listen } from '@trove/test-support/listen.js';
import { rejection } from '@trove/test-support/rejection.js';
import { accessOf } from '../src/access.js';
import { calm, listed, open, textAt } from './source.js';

/* Responses that Azurite never sends: those of large and hierarchical accounts, and errors. */

const test = suite('Azure connector, responses of the service');
const anonymous = { anonymous: true };

async function withService(
  answer: (query: URLSearchParams, path: string, response: ServerResponse) => void,
  run: (endpoint: string, requests: readonly string[]) => Promise<void>,
): Promise<void> {
  const requests: string[] = [];
  await using server = await listen((request, response) => {
    const { pathname, searchParams, search } = new URL(request.url ?? '/', 'http://localhost');
    requests.push(pathname + search);
    answer(searchParams, pathname, response);
  });
  await run(server.origin, requests);
}

const blob = (name: string, properties = ''): string =>
  `<Blob><Name>${name}</Name><Properties><Last-Modified>Thu, 05 Nov 2026 10:00:00 GMT</Last-Modified><Etag>0x8D</Etag><Content-Length>3</Content-Length>${properties}</Properties></Blob>`;

const page = (content: string, next = ''): string =>
  `\uFEFF<?xml version="1.0" encoding="utf-8"?><EnumerationResults ServiceEndpoint="x"><Blobs>${content}</Blobs><NextMarker>${next}</NextMarker></EnumerationResults>`;

test('follows markers, also through empty pages', async () => {
  const pages: Readonly<Record<string, string>> = {
    '': page(blob('a.md'), '2!x'),
    '2!x': page('', '3'),
    '3': page(blob('b &amp; c.md')),
  };
  const answer = (query: URLSearchParams, _: string, response: ServerResponse): void =>
    void response.end(pages[query.get('marker') ?? '']);
  await withService(answer, async (endpoint, requests) => {
    const source = open('azure://account/docs', { ...anonymous, endpoint });
    const [first, second] = await listed(source);
    assert.equal(first, {
      path: 'a.md',
      size: 3,
      modifiedAt: Date.UTC(2026, 10, 5, 10),
      fingerprint: '0x8D',
    });
    assert.is(second?.path, 'b & c.md');
    assert.is(requests.length, 3);
    assert.is(requests[0], '/docs?restype=container&comp=list');
  });
});

test('leaves out folders of hierarchical accounts, and archived blobs', async () => {
  const folder = '<ResourceType>directory</ResourceType>';
  const content = [
    blob('dir', folder),
    blob('dir/a.md', '<ResourceType>file</ResourceType>'),
    blob('old.md', '<AccessTier>Archive</AccessTier>'),
    blob('cold.md', '<AccessTier>Cold</AccessTier>'),
    blob('a/../b.md'),
  ];
  const prefix = '<BlobPrefix><Name>dir/</Name></BlobPrefix>';
  const answer = (query: URLSearchParams, _: string, response: ServerResponse): void =>
    void response.end(page(content.join('') + (query.has('delimiter') ? prefix : '')));
  await withService(answer, async (endpoint) => {
    const source = open('azure://account/docs', { ...anonymous, endpoint });
    assert.equal(
      (await listed(source)).map(({ path, skip }) => [path, skip !== undefined]),
      [
        ['a/%2E%2E/b.md', true],
        ['cold.md', false],
        ['dir/a.md', false],
        ['old.md', true],
      ],
    );
    const level = await collect(source.browse('', { signal: calm() }));
    assert.equal(
      level.filter(({ name }) => name === 'dir').map(({ type }) => type),
      ['dir'],
    );
  });
});

test('decodes names that XML cannot contain', async () => {
  const content = `${blob('100%25.md')}${blob('a%EF%BF%BE%25b.md').replace('<Name>', '<Name Encoded="true">')}`;
  const prefix = '<BlobPrefix><Name Encoded="true">c%EF%BF%BF/</Name></BlobPrefix>';
  const answer = (query: URLSearchParams, _: string, response: ServerResponse): void =>
    void response.end(page(content + (query.has('delimiter') ? prefix : '')));
  await withService(answer, async (endpoint) => {
    const source = open('azure://account/docs', { ...anonymous, endpoint });
    assert.equal(
      (await listed(source)).map(({ path }) => path),
      ['100%25.md', 'a\uFFFE%b.md'],
    );
    const level = await collect(source.browse('', { signal: calm() }));
    assert.ok(level.some(({ name, type }) => name === 'c\uFFFF' && type === 'dir'));
  });
});

for (const [what, body] of [
  ['a badly encoded name', page(blob('a%FF.md').replace('<Name>', '<Name Encoded="true">'))],
  ['no marker', page(blob('a.md')).replace('<NextMarker></NextMarker>', '')],
  ['no list of blobs', page('').replace('<Blobs></Blobs>', '')],
] as const)
  test(`refuses a list with ${what}`, () =>
    withService(
      (_, __, response) => void response.end(body),
      async (endpoint) => {
        const source = open('azure://account/docs', { ...anonymous, endpoint });
        const error = await rejection(() => listed(source));
        assert.is(error.code, 'connector_unhealthy');
        assert.match(error.detail, 'the list of blobs cannot be read');
      },
    ));

test('turns errors of the service into remedies', async () => {
  const errors = [
    [403, 'AuthenticationFailed', 'connector_unhealthy', 'refuses the login'],
    [403, 'AuthorizationPermissionMismatch', 'connector_unhealthy', 'may not list the container'],
    [409, 'PublicAccessNotPermitted', 'connector_unhealthy', 'may not list the container'],
    [404, 'ContainerNotFound', 'connector_unhealthy', 'There is no container "docs"'],
    [503, 'ServerBusy', 'connector_unhealthy', 'could not answer (HTTP 503, ServerBusy)'],
    [200, '', 'connector_unhealthy', 'the list of blobs cannot be read'],
    [418, '', 'connector_unhealthy', 'does not answer like Azure Blob Storage (HTTP 418)'],
  ] as const;
  for (const [status, name, code, detail] of errors) {
    const answer = (_: URLSearchParams, __: string, response: ServerResponse): void =>
      void response
        .writeHead(status, name === '' ? {} : { 'x-ms-error-code': name })
        .end('<html/>');
    await withService(answer, async (endpoint) => {
      const error = await rejection(() =>
        listed(open('azure://account/docs', { ...anonymous, endpoint })),
      );
      assert.is(error.code, code, name);
      assert.match(error.detail, detail);
      assert.is(error.retryable, status === 503);
    });
  }
});

test('refuses only one blob if only it cannot be read', async () => {
  const codes: Readonly<Record<string, readonly [number, string]>> = {
    '/docs/a.md': [404, 'BlobNotFound'],
    '/docs/b.md': [409, 'BlobArchived'],
    '/docs/c.md': [403, 'AuthorizationPermissionMismatch'],
    '/docs/d.md': [409, 'BlobUsesCustomerSpecifiedEncryption'],
  };
  const answer = (_: URLSearchParams, path: string, response: ServerResponse): void => {
    const [status, code] = codes[path] ?? [500, ''];
    response.writeHead(status, { 'x-ms-error-code': code }).end();
  };
  await withService(answer, async (endpoint) => {
    const source = open('azure://account/docs', { ...anonymous, endpoint });
    const codeOf = async (path: string): Promise<string> =>
      (await rejection(() => textAt(source, path))).code;
    assert.is(await codeOf('a.md'), 'not_found');
    for (const path of ['b.md', 'c.md', 'd.md']) assert.is(await codeOf(path), 'path_not_allowed');
  });
});

test('finds the login in settings and environment', async () => {
  const key = Buffer.from('a key').toString('base64');
  const connection = `AccountName=mine;AccountKey=${key};EndpointSuffix=core.chinacloudapi.cn`;
  const config = { anonymous: false, ignore: [] };
  const named = accessOf('mine', config, { AZURE_STORAGE_CONNECTION_STRING: connection });
  assert.is(named.endpoint, 'https://mine.blob.core.chinacloudapi.cn');
  assert.is(named.key?.toString(), 'a key');
  const env = { AZURE_STORAGE_ACCOUNT: 'mine', AZURE_STORAGE_SAS_TOKEN: '?sp=rl&sig=a%2Bb' };
  const signed = accessOf('mine', config, env);
  assert.equal([signed.sas?.get('sig'), signed.key], ['a+b', null]);
  assert.is(signed.endpoint, 'https://mine.blob.core.windows.net');
  const codeOf = async (account: string, more: object): Promise<string> =>
    (await rejection(async () => accessOf(account, { ...config, ...more }, env))).code;
  assert.is(await codeOf('other', {}), 'credential_error');
  assert.is(await codeOf('mine', { account_key: 'no base64!' }), 'credential_error');
  assert.is(await codeOf('mine', { account_key: key, sas_token: 'x' }), 'config_invalid');
  const foreign = { connection_string: connection.replace('mine', 'other') };
  assert.is(await codeOf('mine', foreign), 'config_invalid');
});

test('refuses targets without a container and those that leave a folder', async () => {
  for (const target of [
    'azure://account',
    'azure://a/docs',
    'azure://account/UPPER',
    'azure://account/docs/folder/..',
    'azure://account/docs/folder/%2E%2e',
    'azure://account/docs/a/../b',
  ])
    assert.is(
      (await rejection(async () => open(target, anonymous))).code,
      'validation_error',
      target,
    );
});

test.run();
