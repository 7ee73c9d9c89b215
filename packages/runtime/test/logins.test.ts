import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TroveError, type JsonSchema } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { loginOf } from '../src/plugins/login.js';
import { SecretVariants } from '../src/plugins/secret-variants.js';
import { SourceCredentials } from '../src/plugins/source-credentials.js';
import { LimitStore } from '../src/plugins/limit-store.js';
import { TokenStore } from '../src/plugins/token-store.js';

const secret = { type: 'string', writeOnly: true } as const;
const schema = {
  type: 'object',
  properties: {
    token: secret,
    base_url: { type: 'string' },
    email: { type: 'string' },
    spaces: { type: 'array', items: { type: 'string' } },
  },
} satisfies JsonSchema;
const nested = {
  type: 'object',
  properties: {
    app: { type: 'object', properties: { client_id: { type: 'string' }, key: secret } },
    token: secret,
  },
} satisfies JsonSchema;

const of = (config: Readonly<Record<string, unknown>>, target = 'wiki://a', by = schema): string =>
  loginOf({ target, schema: by, config });

const logins = suite('logins');

logins('sources that name the same secrets have one login', () => {
  const login = of({ token: 'env:WIKI_TOKEN', email: 'ada@example.org' });
  const others = [
    of({ email: 'ada@example.org', token: 'env:WIKI_TOKEN' }, 'wiki://b/deep'),
    of({ token: 'env:WIKI_TOKEN', email: 'ada@example.org', spaces: ['x'], base_url: 'https://x' }),
    of({ credential_ref: 'env:WIKI_TOKEN', email: 'ada@example.org' }),
  ];
  assert.equal(new Set(others), new Set([login]));
  assert.is(of({ token: 's3cret' }), of({ token: 's3cret', spaces: [] }));
  const app = (space: string) => ({ app: { client_id: 'one', key: 'file:/k' }, token: 't', space });
  assert.is(
    loginOf({ target: 'wiki://a', schema: nested, config: app('x') }),
    loginOf({ target: 'wiki://a', schema: nested, config: app('y') }),
  );
});

logins('another secret, user or scheme is another login', () => {
  const all = [
    of({ token: 'env:WIKI_TOKEN' }),
    of({ token: 'env:OTHER_TOKEN' }),
    of({ token: 'WIKI_TOKEN' }),
    of({ token: 'env:WIKI_TOKEN', email: 'ada@example.org' }),
    of({ token: 'env:WIKI_TOKEN' }, 'mail://a'),
    of({ token: 'env:WIKI_TOKEN' }, 'wiki://ada@a'),
    ...['one', 'two'].map((id) =>
      loginOf({
        target: 'wiki://a',
        schema: nested,
        config: { app: { client_id: id, key: 'file:/k' } },
      }),
    ),
  ];
  assert.is(new Set(all).size, all.length);
});

logins('sources without a secret share no login', () => {
  assert.is(of({ base_url: 'https://x' }), of({}));
  assert.is(of({ token: '' }), of({}));
  assert.is.not(of({}), of({}, 'wiki://b'));
});

logins('a login contains no secret and does not change with restarts', () => {
  const login = of({ token: 's3cret' });
  assert.is(login, '6e4241005cce34f5aee35669d8519af9');
  assert.match(login, /^[0-9a-f]{32}$/);
});

logins.run();

const refreshes = suite<{ folder: string }>('refreshed tokens of a login');

refreshes.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'trove-logins-'));
});
refreshes.after.each(({ folder }) => rm(folder, { recursive: true }));

/** Credentials of a source, and a promise that resolves once they handed out a token. */
function sourceWith(
  tokens: TokenStore,
  config: Readonly<Record<string, unknown>> = { token: 'first' },
): { credentials: SourceCredentials; read: Promise<void> } {
  let onRead = (): void => {};
  const read = new Promise<void>((resolve) => (onRead = resolve));
  const secrets = new SecretVariants([]);
  const addToken = secrets.addToken.bind(secrets);
  secrets.addToken = (token) => {
    addToken(token);
    onRead();
  };
  const credentials = new SourceCredentials({
    login: of(config),
    schema,
    config,
    tokens,
    limits: new LimitStore(null),
    secrets,
    signal: new AbortController().signal,
    deniedSecrets: { places: [], variables: [] },
  });
  return { credentials, read };
}

for (const [kind, open] of [
  ['two sources', () => new TokenStore(null)],
  ['two processes', (folder: string) => join(folder, 'login.json')],
] as const) {
  refreshes(`the second of ${kind} sees the result of the first`, async ({ folder }) => {
    const opened = open(folder);
    const [one, two] = [1, 2].map(() =>
      sourceWith(typeof opened === 'string' ? new TokenStore(opened) : opened),
    );
    assert.ok(one !== undefined && two !== undefined);
    let second: Promise<string> | undefined;
    const first = await one.credentials.refresh('token', async () => {
      second = two.credentials.refresh('token', async (token) => `${token} twice`);
      await two.read;
      return 'second';
    });
    assert.equal([first, await second], ['second', 'second']);
    assert.is(await two.credentials.get('token'), 'second');
    const third = await two.credentials.refresh('token', async (token) => `${token}-renewed`);
    assert.is(third, 'second-renewed');
    assert.is(await one.credentials.get('token'), 'second-renewed');
  });
}

refreshes('a failed refresh does not block the next source', async ({ folder }) => {
  const file = join(folder, 'login.json');
  for (const tokens of [new TokenStore(null), new TokenStore(file)]) {
    const [one, two] = [sourceWith(tokens), sourceWith(tokens)];
    const failed = one.credentials.refresh('token', () =>
      Promise.reject(new TroveError('credential_error', 'refused')),
    );
    const next = two.credentials.refresh('token', async (token) => `${token}-renewed`);
    assert.is(await failed.catch((error: TroveError) => error.code), 'credential_error');
    assert.is(await next, 'first-renewed');
  }
});

refreshes('a token of a person is kept until another one is configured', async ({ folder }) => {
  const file = join(folder, 'login.json');
  const none = sourceWith(new TokenStore(file), {}).credentials;
  assert.is(await none.get('token'), undefined);
  await none.replace('token', 'logged-in');
  assert.is(await none.get('token'), 'logged-in');
  assert.is((await stat(file)).mode & 0o777, 0o600);
  await none.refresh('token', async (token) => `${token}-renewed`);
  const later = sourceWith(new TokenStore(file), {}).credentials;
  assert.is(await later.get('token'), 'logged-in-renewed');
  const configured = sourceWith(new TokenStore(file)).credentials;
  assert.is(await configured.get('token'), 'first');
  await configured.replace('token', 'logged-in-again');
  assert.is(await configured.get('token'), 'logged-in-again');
});

refreshes.run();
