import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { readPassword } from '../src/server-url.js';
import { locateServer, type ResolvedServer, type LocateOptions } from '../src/server-location.js';

const test = suite('server location');

const format = {
  key: 'dsn',
  schemes: ['postgresql', 'postgres'],
  example: 'postgres://reader@db.example.org/shop',
};
const whole = 'postgresql://reader:s%40cret@db.example.org:6432/shop?sslmode=require';

function locate(target: string, options: Partial<LocateOptions> = {}): ResolvedServer {
  return locateServer(target, {
    config: {},
    url: undefined,
    format,
    defaultPort: 5432,
    databases: [1, 1],
    ...options,
  });
}

function describeServer(server: ResolvedServer): string {
  return `${server.user}@${server.host}:${server.port}/${server.databases.join('/')}`;
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTroveError(error)) return `${error.code} ${error.detail}`;
  }
  return 'none';
}

test('takes the server from the target or from the configured address', () => {
  assert.is(
    describeServer(locate('postgres://reader@db.example.org/shop')),
    'reader@db.example.org:5432/shop',
  );
  const named = locate('postgres://prod-db', { url: whole });
  assert.is(describeServer(named), 'reader@db.example.org:6432/shop');
  assert.is(named.url?.password, 's@cret');
  assert.is(named.url?.options.get('sslmode'), 'require');
  assert.is(
    describeServer(locate('postgres://reader@prod-db/shop', { url: whole })),
    describeServer(named),
  );
});

test('prefers the configured host, port, user and database', () => {
  const config = { host: '::1', port: 7000, user: 'other', database: 'store' };
  assert.is(
    describeServer(locate('postgres://prod-db', { config, url: whole })),
    'other@::1:7000/store',
  );
  assert.is(describeServer(locate('postgres://prod-db', { config })), 'other@::1:7000/store');
  assert.is(
    describeServer(locate('postgres://db', { config: { user: 'u', database: 'd' } })),
    'u@db:5432/d',
  );
  assert.is(describeServer(locate('postgres://u@db:1/d', { config: { port: 2 } })), 'u@db:2/d');
  assert.is(
    describeServer(locate('postgres://prod-db', { config: { host: 'localhost' }, url: whole })),
    'reader@localhost:6432/shop',
  );
});

test('accepts the address formats of common programs', () => {
  const formatUrl = (url: string, options: Partial<LocateOptions> = {}): string =>
    describeServer(locate('postgres://prod-db', { url, ...options }));
  assert.is(formatUrl('  postgresql+psycopg2://u:p@h/d\n'), 'u@h:5432/d');
  assert.is(formatUrl('POSTGRES://u@[::1]:99/d'), 'u@::1:99/d');
  assert.is(formatUrl('postgres://u:p:q@r@h/d'), 'u@h:5432/d', 'an unescaped @');
  assert.is(formatUrl('postgres://%C3%BC@h/a%2Fb'), 'ü@h:5432/a/b');
  assert.is(formatUrl('postgres://u@a:1,b/d', { mayHaveSeveralHosts: true }), 'u@a:1/d');
  const several = locate('postgres://x', {
    url: 'postgres://u@a:1,b/d',
    mayHaveSeveralHosts: true,
  });
  assert.equal(several.addresses, [
    { host: 'a', port: 1 },
    { host: 'b', port: 5432 },
  ]);
});

test('rejects an invalid or contradictory address without quoting it', () => {
  for (const url of [
    '',
    'secret',
    'mysql://u:secret@h/d',
    'host=h password=secret',
    'postgres:/u',
  ]) {
    const message = refusal(() => locate('postgres://prod-db', { url }));
    assert.is(message, `config_invalid config.dsn: must be an address such as ${format.example}`);
  }
  assert.is(
    refusal(() => locate('postgres://prod-db', { url: 'postgres://h' })),
    'validation_error target: must name a user and one database',
  );
  assert.is(
    refusal(() => locate('postgres://prod-db', { url: 'postgres://u@h1,h2/d' })),
    'validation_error target: must name a host',
  );
  assert.is(
    refusal(() => locate('postgres://u@prod-db/other', { url: whole })),
    'config_invalid config.user: is not the user in the target',
  );
  assert.is(
    refusal(() => locate('postgres://prod-db/other', { url: whole })),
    'config_invalid config.database: is not the database in the target',
  );
});

test('prefers `password` to the password in the address', async () => {
  const passwordWith = (config: Record<string, string>): Promise<string> => {
    const get = (name: string): Promise<string | undefined> => Promise.resolve(config[name]);
    return readPassword({ get }, config['dsn'], format);
  };
  assert.is(await passwordWith({ dsn: whole }), 's@cret');
  assert.is(await passwordWith({ dsn: whole, password: 'own' }), 'own');
  assert.is(await passwordWith({}), '');
});

test.run();
