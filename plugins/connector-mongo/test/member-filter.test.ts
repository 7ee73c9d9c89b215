import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MemberFilter } from '../src/member-filter.js';
import { calm, World } from './support.js';

const test = suite('members of a replica set');

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

/** Of all that a server may name, what is connected to when people named one host. */
function allowedWith(host: string): unknown {
  const hello = { hosts: everywhere };
  new MemberFilter(() => [host]).filter(hello);
  return hello.hosts;
}

/** How looking up a name ends that the server gave. */
function lookedUp(name: string, named: string): Promise<string> {
  return new Promise((resolve) => {
    new MemberFilter(() => [named]).lookup(name, { all: true }, (error, addresses) =>
      resolve(error === null ? `${addresses.length > 0}` : error.message),
    );
  });
}

test('a server may only name members that are no closer to this machine than it is itself', () => {
  const [internet, local, own, own6] = everywhere;
  const name = everywhere.at(-1);
  assert.equal(allowedWith('203.0.114.9'), [internet, name]);
  assert.equal(allowedWith('10.0.0.1'), [internet, local, name]);
  assert.equal(allowedWith('127.0.0.1'), [internet, local, own, own6, name]);
  assert.equal(allowedWith('169.254.169.254'), [internet, '169.254.169.254:80', name]);
});

test('what is no list of names is taken for none, and no more members than a set may have', () => {
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

test('the addresses behind a name that the server gave count, those behind one of people do not', async () => {
  assert.is(await lookedUp('localhost', 'LOCALHOST'), 'true');
  assert.is(await lookedUp('localhost', '127.0.0.1'), 'true');
  assert.is(
    await lookedUp('localhost', '203.0.114.9'),
    'localhost is in another network than the server',
  );
});

test('a set that names addresses of other networks and what is no address is read from its other members', async () => {
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
