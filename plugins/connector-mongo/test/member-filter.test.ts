import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MemberFilter } from '../src/member-filter.js';
import { calm, World } from './support.js';

const test = suite('replica set member filter');

const everywhere = [
  '203.0.114.7:27017',
  '10.0.0.7:27017',
  '127.0.0.1:6379',
  '[::1]:6379',
  '169.254.169.254:80',
  '[::ffff:127.0.0.1]:80',
  '0.0.0.0:80',
  'db.example.org:27017',
];

/** Returns the allowed members if the configuration names this host. */
function allowedWith(host: string): unknown {
  const hello = { hosts: everywhere };
  new MemberFilter(() => [host]).filter(hello);
  return hello.hosts;
}

/** Returns the outcome of resolving a reported name. */
function lookedUp(name: string, named: string): Promise<string> {
  return new Promise((resolve) => {
    new MemberFilter(() => [named]).lookup(name, { all: true }, (error, addresses) =>
      resolve(error === null ? `${addresses.length > 0}` : error.message),
    );
  });
}

test('allows only members that are no closer than the named host', () => {
  const [internet, local, own, own6] = everywhere;
  const name = everywhere.at(-1);
  assert.equal(allowedWith('203.0.114.9'), [internet, name]);
  assert.equal(allowedWith('10.0.0.1'), [internet, local, name]);
  assert.equal(allowedWith('127.0.0.1'), [internet, local, own, own6, name]);
  assert.equal(allowedWith('169.254.169.254'), [internet, '169.254.169.254:80', name]);
});

test('ignores malformed member lists and members beyond the limit', () => {
  const hello = {
    hosts: [5, null, ...Array.from({ length: 1000 }, (_, at) => `m${at}.example.org:27017`)],
    passives: 'db.example.org',
    arbiters: { length: 3 },
  };
  new MemberFilter(() => ['203.0.114.9']).filter(hello);
  assert.is(hello.hosts.length, 50);
  assert.is(hello.hosts[0], 'm0.example.org:27017');
  assert.equal([hello.passives, hello.arbiters], [[], []]);
});

test('checks the resolved addresses of reported names only', async () => {
  assert.is(await lookedUp('localhost', 'LOCALHOST'), 'true');
  assert.is(await lookedUp('localhost', '127.0.0.1'), 'true');
  assert.is(
    await lookedUp('localhost', '203.0.114.9'),
    'localhost is in another network than the server',
  );
});

test('reads from the allowed members of a replica set', async () => {
  const hosts: unknown[] = ['169.254.169.254:80', 5, '[fe80::1]:80'];
  const set = await World.make({ hello: { setName: 'rs0', hosts } });
  hosts.push(`127.0.0.1:${set.server.port}`);
  set.shop.put('a', [{ _id: 1 }]);
  try {
    const health = await set.connector().check?.({ signal: calm });
    assert.is(health?.ok, true, health?.detail);
  } finally {
    await set.remove();
  }
});

test.run();
