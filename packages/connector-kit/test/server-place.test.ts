import { isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { currentPassword } from '../src/server-address.js';
import { placeOfServer, type NamedServer, type ServerTarget } from '../src/server-place.js';

const test = suite('where a server is');

const form = {
  key: 'dsn',
  schemes: ['postgresql', 'postgres'],
  example: 'postgres://reader@db.example.org/shop',
};
const whole = 'postgresql://reader:s%40cret@db.example.org:6432/shop?sslmode=require';

function placeOf(target: string, asked: Partial<ServerTarget> = {}): NamedServer {
  return placeOfServer(target, {
    config: {},
    address: undefined,
    form,
    port: 5432,
    databases: [1, 1],
    ...asked,
  });
}

function told(place: NamedServer): string {
  return `${place.user}@${place.host}:${place.port}/${place.databases.join('/')}`;
}

function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (isTroveError(error)) return `${error.code} ${error.detail}`;
  }
  return 'none';
}

test('a target names its server; one with an address in the configuration is a name', () => {
  assert.is(
    told(placeOf('postgres://reader@db.example.org/shop')),
    'reader@db.example.org:5432/shop',
  );
  const named = placeOf('postgres://prod-db', { address: whole });
  assert.is(told(named), 'reader@db.example.org:6432/shop');
  assert.is(named.parts?.password, 's@cret');
  assert.is(named.parts?.options.get('sslmode'), 'require');
  assert.is(told(placeOf('postgres://reader@prod-db/shop', { address: whole })), told(named));
});

test('host, port, user and database each take precedence over the address', () => {
  const config = { host: '::1', port: 7000, user: 'other', database: 'store' };
  assert.is(
    told(placeOf('postgres://prod-db', { config, address: whole })),
    'other@::1:7000/store',
  );
  assert.is(told(placeOf('postgres://prod-db', { config })), 'other@::1:7000/store');
  assert.is(
    told(placeOf('postgres://db', { config: { user: 'u', database: 'd' } })),
    'u@db:5432/d',
  );
  assert.is(told(placeOf('postgres://u@db:1/d', { config: { port: 2 } })), 'u@db:2/d');
});

test('forms of addresses that programs have', () => {
  const of = (address: string, more: Partial<ServerTarget> = {}): string =>
    told(placeOf('postgres://prod-db', { address, ...more }));
  assert.is(of('  postgresql+psycopg2://u:p@h/d\n'), 'u@h:5432/d');
  assert.is(of('POSTGRES://u@[::1]:99/d'), 'u@::1:99/d');
  assert.is(of('postgres://u:p:q@r@h/d'), 'u@h:5432/d', 'an @ that is not escaped');
  assert.is(of('postgres://%C3%BC@h/a%2Fb'), 'ü@h:5432/a/b');
  assert.is(of('postgres://u@a:1,b/d', { mayHaveSeveralHosts: true }), 'u@a:1/d');
  const several = placeOf('postgres://x', {
    address: 'postgres://u@a:1,b/d',
    mayHaveSeveralHosts: true,
  });
  assert.equal(several.addresses, [
    { host: 'a', port: 1 },
    { host: 'b', port: 5432 },
  ]);
});

test('what is no address, is missing or contradicts itself is refused, without showing the address', () => {
  for (const address of [
    '',
    'secret',
    'mysql://u:secret@h/d',
    'host=h password=secret',
    'postgres:/u',
  ]) {
    const said = refusal(() => placeOf('postgres://prod-db', { address }));
    assert.is(said, `config_invalid config.dsn: must be an address such as ${form.example}`);
  }
  assert.is(
    refusal(() => placeOf('postgres://prod-db', { address: 'postgres://h' })),
    'validation_error target: must name a user and one database',
  );
  assert.is(
    refusal(() => placeOf('postgres://prod-db', { address: 'postgres://u@h1,h2/d' })),
    'validation_error target: must name a host',
  );
  assert.is(
    refusal(() => placeOf('postgres://u@prod-db/other', { address: whole })),
    'config_invalid config.user: is not the user in the target',
  );
  assert.is(
    refusal(() => placeOf('postgres://prod-db/other', { address: whole })),
    'config_invalid config.database: is not the database in the target',
  );
});

test('the password is the one of now: that of `password`, or that in the address', async () => {
  const passwordWith = (config: Record<string, string>): Promise<string> => {
    const get = (name: string): Promise<string | undefined> => Promise.resolve(config[name]);
    return currentPassword({ get }, config['dsn'], form);
  };
  assert.is(await passwordWith({ dsn: whole }), 's@cret');
  assert.is(await passwordWith({ dsn: whole, password: 'own' }), 'own');
  assert.is(await passwordWith({}), '');
});

test.run();
