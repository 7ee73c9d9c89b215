import { isTroveError } from '@trove/core';
import { resolveSettings, type Access, type Trove } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ProxyUsers, type ProxyAccess } from '../src/auth/proxy-users.js';
import { emptyStatus } from './support/stub-engine.js';
import { call, envelope, token, withHost } from './support/server.js';

/* Users whom a proxy in front of the server authenticates. */

const test = suite('users of a proxy');
const header = 'x-forwarded-user';
const readAll: Access = { rights: 'read', paths: null };

const proxyAccess: ProxyAccess = {
  header,
  trustedProxies: ['127.0.0.1'],
  users: { ada: { rights: 'admin', paths: null }, '*': readAll },
};
const methods: Partial<Trove> = {
  status: () => Promise.resolve(emptyStatus),
  tokens: () => Promise.resolve({ tokens: [] }),
};
const engine = { canonicalUris: (paths: readonly string[]) => Promise.resolve([...paths]) };

function find(access: Partial<ProxyAccess>, address: string | undefined, user: string) {
  return ProxyUsers.create({ ...proxyAccess, ...access }, engine).then((users) =>
    users.find({ address, header: (name) => (name === header ? user : '') }),
  );
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (isTroveError(error) ? error.code : String(error)),
  );
}

test('gives users of a trusted proxy their rights', () =>
  withHost(
    methods,
    async (host) => {
      const as = (user: string, path: string) =>
        call(host, path, { headers: { authorization: '', [header]: user } });
      assert.is((await as('ada', '/v1/tokens')).status, 200);
      assert.is((await as('bob', '/v1/status')).status, 200);
      const refused = await as('bob', '/v1/tokens');
      assert.is(envelope(refused).code, 'forbidden');
      assert.is((await as('', '/v1/status')).status, 401);
      assert.is((await as('*', '/v1/status')).status, 403);
      assert.is((await call(host, '/v1/tokens')).status, 200, 'the token still works');
    },
    { proxyAccess },
  ));

test('ignores the header from other addresses', () =>
  withHost(
    methods,
    async (host) => {
      const headers = { authorization: '', [header]: 'ada' };
      assert.is((await call(host, '/v1/status', { headers })).status, 401);
      const both = { authorization: `Bearer ${token}`, [header]: 'ada' };
      assert.is((await call(host, '/v1/status', { headers: both })).status, 200);
    },
    { proxyAccess: { ...proxyAccess, trustedProxies: ['10.0.0.0/8', '::1'] } },
  ));

test('refuses unknown users if there is no entry for all others', () =>
  withHost(
    methods,
    async (host) => {
      const headers = { authorization: '', [header]: 'eve' };
      assert.is((await call(host, '/v1/status', { headers })).status, 403);
    },
    { proxyAccess: { ...proxyAccess, users: { ada: readAll } } },
  ));

test('refuses web pages of other sites, which would use the login of the proxy', () =>
  withHost(
    methods,
    async (host) => {
      const user = { authorization: '', [header]: 'ada' };
      for (const [status, headers] of [
        [200, { 'sec-fetch-site': 'same-origin' }],
        [403, { 'sec-fetch-site': 'cross-site' }],
        [403, { origin: 'https://evil.example' }],
        [200, { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }],
      ] as const) {
        const answer = await call(host, '/v1/status', { headers: { ...user, ...headers } });
        assert.is(answer.status, status, JSON.stringify(headers));
      }
    },
    { proxyAccess, corsOrigins: ['https://app.example'] },
  ));

test('recognises addresses and networks of proxies', async () => {
  const trustedProxies = ['10.1.0.0/16', '192.0.2.7', 'fd00::/8'];
  for (const [address, isTrusted] of [
    ['10.1.2.3', true],
    ['::ffff:10.1.2.3', true],
    ['10.2.0.1', false],
    ['192.0.2.7', true],
    ['192.0.2.70', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['', false],
    [undefined, false],
  ] as const) {
    assert.is((await find({ trustedProxies }, address, 'bob')) !== null, isTrusted, address);
  }
  for (const wrong of ['localhost', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '']) {
    const refused = find({ trustedProxies: [wrong] }, '10.0.0.1', 'bob');
    assert.is(await codeOf(refused), 'config_invalid', wrong);
  }
});

test('refuses settings under which users would have other rights than stated', () => {
  const users = { ada: { rights: 'read' } };
  const complete = { proxy_header: 'X-User', trusted_proxies: ['127.0.0.1'], users };
  const codes = [
    { access: complete },
    { access: { ...complete, proxy_header: undefined } },
    { access: { ...complete, trusted_proxies: [] } },
    { access: complete, auth_token: '-' },
    { access: { ...complete, users: { ada: { rights: 'root' } } } },
    { access: { ...complete, users: { ada: { rights: 'admin', paths: ['/a'] } } } },
    { access: { ...complete, users: { ada: { right: 'read' } } } },
  ].map((settings) => {
    try {
      resolveSettings(JSON.parse(JSON.stringify(settings)), { home: '/nowhere' });
      return 'none';
    } catch (error) {
      return isTroveError(error) ? error.code : String(error);
    }
  });
  assert.equal(codes, ['none', ...Array<string>(6).fill('config_invalid')]);
});

test.run();
