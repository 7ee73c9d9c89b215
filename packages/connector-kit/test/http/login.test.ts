import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import type { Connector } from '@trove/core';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startDesk } from './desk-service.js';
import { credentialsOf } from './test-credentials.js';
import { revokedTokenFault } from '../../src/http/fake/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import {
  defineHttpConnector,
  type HttpDescription,
  type LoginDescription,
  type Text,
} from '../../src/http/index.js';
import { all, deskBase, neverAborted, recordsAt, withDesk } from './open-desk.js';

const test = suite('logins of web services');

const tickets: HttpDescription['streams'] = {
  tickets: {
    get: '/link/tickets',
    page: 'link',
    in: 'tickets',
    key: 'id',
    record: { title: 'title' },
  },
};

test('a service that answers anonymous requests is not an empty source', () =>
  withDesk(
    { streams: tickets },
    async ({ desk, connector }) => {
      desk.isLenient = true;
      desk.addTicket(1, 1);
      const list = await rejection(() => all(connector.list({ signal: neverAborted() })));
      assert.is(list.code, 'connector_unhealthy');
      assert.match(list.message, 'refused the login (HTTP 401): Bad credentials');
      const records = await rejection(() => recordsAt(connector, 'tickets'));
      assert.match(records.message, 'refused the login');
    },
    { credentials: credentialsOf({ token: 'wrong' }) },
  ));

test('checks the login and names a missing scope', () =>
  withDesk(
    {
      streams: tickets,
      check: { get: '/me', scopes: { from: 'header.x-scopes', needs: ['read', 'write'] } },
    },
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'lacks the scope write');
    },
  ));

test('describes a working login', () =>
  withDesk({ streams: tickets }, async ({ connector }) => {
    assert.equal(await connector.check?.({ signal: neverAborted() }), {
      ok: true,
      detail: 'Connected as Robot.',
    });
  }));

test('repeats a request with a replaced token, once', () => {
  const credentials = credentialsOf({ token: 'good' });
  return withDesk(
    { streams: tickets },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
      service.addFault({
        matches: ({ path }) => path === '/link/tickets',
        after: 1,
        apply: (request) => {
          desk.tokens.delete('good');
          desk.tokens.add('new');
          credentials.values['token'] = 'new';
          return desk.unauthorized(request);
        },
      });
      assert.is((await recordsAt(connector, 'tickets')).length, 5);
      const refused = service.exchanges.filter(({ status }) => status === 401);
      assert.is(refused.length, 1);
    },
    { credentials },
  );
});

test('fails when a token is revoked between two pages', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    service.addFault(revokedTokenFault(desk, ({ path }) => path === '/link/tickets', 1));
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.match(error.message, 'refused the login');
    assert.not(error.retryable);
  }));

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const client = { id: 'app', secret: '{secret.token}' };

const grants: readonly (readonly [
  name: string,
  auth: LoginDescription,
  expected: Readonly<Record<string, string>>,
])[] = [
  [
    'a refresh token',
    { oauth2: { grant: 'refresh', refreshToken: 'token', tokenUrl: '{config.url}/token', client } },
    { grant_type: 'refresh_token', refresh_token: 'secret 0' },
  ],
  [
    'client credentials',
    { oauth2: { grant: 'client', tokenUrl: '{config.url}/token', client } },
    { grant_type: 'client_credentials', client_secret: 'secret 0' },
  ],
];

for (const [name, auth, expected] of grants) {
  test(`gets an access token with ${name} and replaces an expired one`, () => {
    const credentials = credentialsOf({ token: 'secret 0' });
    return withDesk(
      { streams: tickets, auth },
      async ({ desk, connector, service }) => {
        for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
        const forms = issueTokens(desk, service);
        await recordsAt(connector, 'tickets');
        assert.is(forms.length, 1);
        for (const [key, value] of Object.entries(expected)) assert.is(forms[0]?.[key], value);
        desk.tokens.clear();
        await recordsAt(connector, 'tickets');
        assert.is(forms.length, 2);
        if (name === 'a refresh token') assert.is(forms[1]?.['refresh_token'], 'refresh 1');
      },
      { credentials },
    );
  });
}

for (const algorithm of ['RS256', 'ES256'] as const) {
  test(`signs a token with ${algorithm}`, () => {
    const pair = algorithm === 'RS256' ? rsa : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const credentials = credentialsOf({
      token: JSON.stringify({ private_key: key, mail: 'robot@desk' }),
    });
    const auth: LoginDescription = {
      oauth2: {
        grant: 'jwt',
        send: 'assertion',
        tokenUrl: '{config.url}/token',
        jwt: {
          algorithm,
          key: '{secret.token.private_key}',
          claims: { iss: '{secret.token.mail}' },
        },
      },
    };
    return withDesk(
      { streams: tickets, auth },
      async ({ desk, connector, service }) => {
        const forms = issueTokens(desk, service);
        await recordsAt(connector, 'tickets');
        const [header = '', payload = '', signature = ''] = (forms[0]?.['assertion'] ?? '').split(
          '.',
        );
        assert.is(JSON.parse(Buffer.from(header, 'base64url').toString()).alg, algorithm);
        assert.is(JSON.parse(Buffer.from(payload, 'base64url').toString()).iss, 'robot@desk');
        const isSigned = verify(
          'sha256',
          Buffer.from(`${header}.${payload}`),
          {
            key: createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' })),
            dsaEncoding: 'ieee-p1363',
          },
          Buffer.from(signature, 'base64url'),
        );
        assert.ok(isSigned);
      },
      { credentials },
    );
  });
}

for (const [kind, sub] of [
  ['text', '{config.user}'],
  ['function', ({ config }) => String(Object(config).user)],
] as const satisfies readonly (readonly [string, Text])[])
  test(`a service account gets a token for each user that a ${kind} names`, async () => {
    const { desk, service } = await startDesk();
    const key = rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const plugin = defineHttpConnector({
      ...deskBase,
      keys: ['desk'],
      configSchema: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          user: { type: 'string' },
          token: { type: 'string', writeOnly: true },
        },
      },
      streams: tickets,
      auth: {
        oauth2: {
          grant: 'jwt',
          send: 'assertion',
          tokenUrl: '{config.url}/token',
          jwt: { algorithm: 'RS256', key: '{secret.token}', claims: { sub } },
        },
      },
    });
    const open = async (user: string): Promise<Connector> =>
      plugin.create(
        connectorContext({
          target: `desk://${user}`,
          http: connectorHttp(),
          credentials: credentialsOf({ token: key }),
          config: { url: service.origin, user },
        }),
      );
    const connectors = await Promise.all(['ann', 'bob', 'bob'].map(open));
    try {
      const forms = issueTokens(desk, service);
      for (const connector of connectors) await recordsAt(connector, 'tickets');
      const users = forms.map(({ assertion = '' }) => {
        const [, payload = ''] = assertion.split('.');
        return JSON.parse(Buffer.from(payload, 'base64url').toString()).sub;
      });
      assert.equal(users, ['ann', 'bob']);
    } finally {
      for (const connector of connectors) await connector.close?.();
      await service.stop();
    }
  });

test('names the settings that a login needs', () =>
  withDesk(
    {
      streams: tickets,
      auth: [{ bearer: 'token' }, { basic: { user: 'me', password: '{secret.password}' } }],
    },
    async ({ connector }) => {
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.match(error.message, 'config: set `token` or `password` to log in');
    },
    { credentials: credentialsOf({}) },
  ));

test('sends no login if the description allows it', () =>
  withDesk(
    { streams: tickets, auth: [{ bearer: 'token' }, 'none'], check: { get: '/link/tickets' } },
    async ({ desk, connector, service }) => {
      desk.isLenient = true;
      assert.equal(await recordsAt(connector, 'tickets'), []);
      const sent = service.exchanges.map(({ request }) => request.headers['authorization']);
      assert.equal(new Set(sent), new Set([undefined]));
    },
    { credentials: credentialsOf({}) },
  ));

/** Makes the service issue access tokens. Returns the forms of the requests. */
function issueTokens(
  desk: { readonly tokens: Set<string> },
  service: Parameters<Parameters<typeof withDesk>[1]>[0]['service'],
): Readonly<Record<string, string>>[] {
  const forms: Readonly<Record<string, string>>[] = [];
  service.addFault({
    matches: ({ path }) => path === '/token',
    times: Infinity,
    apply: ({ body }) => {
      forms.push(Object(body));
      const token = `access ${forms.length}`;
      desk.tokens.add(token);
      return {
        json: { access_token: token, expires_in: 3600, refresh_token: `refresh ${forms.length}` },
      };
    },
  });
  return forms;
}

test.run();
