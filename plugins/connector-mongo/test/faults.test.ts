// test-waits
import { createServer } from 'node:net';

import { isTroveError } from '@trove/core';
import { connectorContext } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { listen } from '@trove/test-support/listen.js';
import { collect } from '@trove/test-support/collect.js';
import { startHostileProxy } from '@trove/test-support/hostile-proxy.js';
import { MongoError } from '@trove/test-support/mongo/server.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { untrustedCertificate } from '@trove/test-support/untrusted-certificate.js';
import type { MongoConfig } from '../src/config.js';
import { calm, grepAll, plugin, recordsOf, World } from './support.js';

const test = suite('mongo connector, faults');
const world = await World.make({
  users: {
    reader: { password: 'secret' },
    local: { password: 'secret', source: 'shop' },
    limited: { password: 'secret', reads: ['a'] },
    nothing: { password: 'secret', reads: [] },
  },
});
test.after(() => world.remove());
test.before.each(() => world.clear());

/** With what a busy machine takes; the driver itself would try for 30 s. */
const limitMs = 25_000;
/** The driver asks after a server no more often. */
const betweenHeartbeatsMs = 700;
const host = `127.0.0.1:${world.server.port}`;

/** What a check says, without the name of the database. */
async function health(
  config: Partial<MongoConfig> = {},
  target = world.target(),
  of = world,
): Promise<string> {
  const from = performance.now();
  const { ok, detail = '' } = (await of.connector(config, target).check?.({ signal: calm })) ?? {};
  assert.ok(performance.now() - from < limitMs);
  return `${ok}: ${detail.replace('The MongoDB database shop at ', '')}`;
}

test('explains a fault of a source in a sentence with a remedy', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  world.shop.put('b', [{ _id: 1 }]);
  assert.is(await health(), 'true: A MongoDB database with 2 collections and views.');
  const remedy =
    'Check the user, `password`: env:DB_PASSWORD, say, and `auth_source`: the database in which the user was created.';
  assert.is(await health({ password: 'wrong' }), `false: ${host} refused the password. ${remedy}`);
  const local = world.target({ user: 'local@' });
  assert.is(await health({}, local), `false: ${host} refused the password. ${remedy}`);
  assert.match(await health({ auth_source: 'shop' }, local), /^true/);
  assert.is(
    await health({ password: '' }),
    `false: ${host} asks for a password. Set \`password\`, best as a reference: env:DB_PASSWORD, say.`,
  );
  assert.match(
    await health({}, world.target({ user: '' })),
    /asks for a user and a password\. Name the user/,
  );
  assert.match(
    await health({}, world.target({ database: '/nowhere' })),
    /nowhere at .* does not exist on that server, or is hidden from this user\. Check the name of the database/,
  );
  assert.is(
    await health({ collections: ['a', 'c'] }),
    `false: ${host} has no collection or view c: name some of those in it (a, b) in \`collections\`, or leave \`collections\` out.`,
  );
  assert.match(await health({ append_only: ['c'] }), /has no collection c: .* in `append_only`/);
  assert.match(
    await health({ tls: 'verify' }),
    /offers no encryption\. Set `tls` to "off" if nobody else can listen/,
  );
});

test('a host that is not there, or that says nothing, is told in time', async () => {
  assert.match(
    await health({}, world.target({ host: '127.0.0.1:1' })),
    /cannot be reached\. Check that it runs, its host and port/,
  );
  assert.match(
    await health({}, world.target({ host: 'no-such-host.invalid' })),
    /cannot be reached/,
  );
  assert.match(
    await health({}, 'mongodb+srv://reader@cluster.no-such-host.invalid/shop'),
    /cannot be (?:found|reached)/,
  );
  await using silent = await listen(createServer());
  const target = world.target({ host: silent.host });
  assert.match(await health({}, target), /did not answer\. Check that it runs/);
});

test('a target without a host or a database is refused', () => {
  for (const [target, missing] of [
    ['mongodb://reader@/shop', 'a host'],
    ['mongodb://reader@a,,b/shop', 'a host'],
    ['mongodb://reader@db.example.org', 'one database'],
    ['mongodb://reader@db.example.org/shop/people', 'one database'],
    ['mongodb+srv://reader@a,b:2:3/shop', 'a host'],
  ] as const) {
    assert.throws(
      () => world.connector({}, target),
      (error: unknown) => isTroveError(error) && error.detail === `target: must name ${missing}`,
      target,
    );
  }
});

test('encryption is asked for, and certificates are checked', async () => {
  const secure = await World.make({ tls: untrustedCertificate });
  secure.shop.put('a', [{ _id: 1 }]);
  try {
    const target = secure.target({ host: `localhost:${secure.server.port}` });
    assert.match(
      await health({ tls: 'verify' }, target, secure),
      /has a certificate that is not trusted\. Name the certificate of its authority in `ca`/,
    );
    const ca = untrustedCertificate.cert;
    assert.match(await health({ tls: 'verify', ca }, target, secure), /^true/);
    assert.match(await health({ tls: 'unverified' }, target, secure), /^true/);
  } finally {
    await secure.remove();
  }
});

test('a target may be a name for the database in the configuration', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  const { password: _, ...others } = world.config;
  const said = async (config: Partial<MongoConfig>): Promise<string> => {
    const context = connectorContext({ target: 'mongo://prod', config: { ...others, ...config } });
    const connector = await plugin.create(context);
    const { ok, detail } = (await connector.check?.({ signal: calm })) ?? {};
    await connector.close?.();
    return `${ok}: ${detail}`;
  };
  const { port } = world.server;
  const uri = `mongodb://reader:secret@${host}/?authSource=admin&retryWrites=true`;
  assert.match(await said({ uri, database: 'shop' }), /^true: A MongoDB database with 1 /);
  const parts = { host: '127.0.0.1', port, user: 'reader', database: 'shop', password: 'secret' };
  assert.match(await said(parts), /^true/);
  const own = `mongodb://local:secret@${host}/shop`;
  assert.match(await said({ uri: own }), /^true/, 'the user was created in that database');
  assert.match(await said({ uri: `${own}?authSource=admin` }), /refused the password/);
  assert.match(await said({ uri: own.replace(':secret', '') }), /asks for a password/);
  assert.match(await said({ uri: `${own}?tls=true` }), /offers no encryption/);
});

test('a replica set whose members are not known here is told, and read from its one host when told so', async () => {
  const hello = { setName: 'rs0', hosts: ['no-such-member.invalid:27017'], secondary: false };
  const set = await World.make({ hello });
  set.shop.put('a', [{ _id: 1 }]);
  try {
    assert.match(
      await health({}, set.target(), set),
      /members cannot be reached by the names that it gives\. Make these names known here, or set `direct`/,
    );
    assert.match(await health({ direct: true }, set.target(), set), /^true/);
  } finally {
    await set.remove();
  }
});

test('who may read some collections reads these, and who may read none is told', async () => {
  world.shop.put('a', [{ _id: 1, x: 'y' }]);
  world.shop.put('b', [{ _id: 1 }]);
  const target = world.target({ user: 'limited@' });
  assert.match(await health({}, target), /^true: A MongoDB database with 1 collections/);
  assert.is((await recordsOf(world.connector({}, target), 'a')).length, 1);
  assert.match(
    await health({}, world.target({ user: 'nothing@' })),
    /hidden from this user\. .* let the user read it: db\.grantRolesToUser/,
  );
});

const many = Array.from({ length: 5000 }, (_, at) => ({ _id: at, x: `text ${at}` }));

test('reads survive a killed connection and a restarted server', async () => {
  world.shop.put('a', many);
  const connector = world.connector();
  let met = 0;
  for await (const { key } of connector.records?.('a/documents.jsonl', { signal: calm }) ?? []) {
    assert.is(key['_id'], met++);
    if (met === 20) assert.ok(world.server.kill() > 0);
    if (met !== 2000) continue;
    await world.server.stop();
    await world.server.start();
  }
  assert.is(met, 5000);
});

test('a connection that is killed again and again fails what runs, which may be done again', async () => {
  world.shop.put('a', many);
  const connector = world.connector();
  await recordsOf(connector, 'a', { limit: 1 });
  world.server.onCommand = ({ find }) => {
    if (find !== undefined) world.server.kill();
  };
  const thrown = await recordsOf(connector, 'a').catch((error: unknown) => error);
  assert.ok(isTroveError(thrown) && thrown.code === 'connector_unhealthy' && thrown.retryable);
  assert.match(thrown.detail, /ended the connection/);
  world.server.onCommand = () => undefined;
  // The first reads may still get a killed connection.
  const read = async (): Promise<boolean> => {
    const records = await recordsOf(connector, 'a', { limit: 3 }).catch(() => []);
    return records.length === 3;
  };
  await waitUntil(read, 'it is read again');
});

test('opens new connections after a server has ended all', async () => {
  const polled = await World.make({ isPolled: true });
  const { server, shop } = polled;
  shop.put('a', many);
  try {
    const connector = polled.connector();
    const from = performance.now();
    await recordsOf(connector, 'a', { limit: 1 });
    // The driver asks after the server at once then, on a connection that is being ended.
    await waitUntil(
      () => performance.now() > from + betweenHeartbeatsMs,
      'the driver may ask again',
    );
    let isKilled = false;
    server.onCommand = ({ find }) => {
      if (find === undefined || isKilled) return;
      isKilled = server.kill() > 0;
    };
    const waiting = recordsOf(connector, 'a').catch(() => []);
    await waitUntil(() => isKilled, 'all connections are ended');
    const read = async (): Promise<boolean> => {
      const records = await recordsOf(connector, 'a', { limit: 3 }).catch(() => []);
      return records.length === 3;
    };
    await waitUntil(read, 'it is read');
    await waiting;
  } finally {
    await polled.remove();
  }
});

test('a cursor that the server lost, or does not go on with, only ends a part of a collection', async () => {
  const stingy = await World.make({ mostInBatch: 7 });
  const { server, shop } = stingy;
  shop.put('a', many.slice(0, 300));
  shop.create('v', 'view', { viewOn: 'a', pipeline: [] });
  try {
    for (const interrupt of [
      () => server.loseCursors(),
      () => void server.kill(),
      () => {
        throw new MongoError(11600, 'InterruptedAtShutdown');
      },
    ]) {
      let met = 0;
      server.onCommand = (command) => {
        if ('getMore' in command && ++met % 3 === 0) interrupt();
      };
      const records = await recordsOf(stingy.connector(), 'a');
      assert.equal(
        records.map(({ key }) => key['_id']),
        [...Array(300).keys()],
      );
      assert.ok(met > 3);
    }
    // A view has no place to go on from.
    server.onCommand = (command) => {
      if ('getMore' in command) server.loseCursors();
    };
    const thrown = await recordsOf(stingy.connector(), 'v').catch((error: unknown) => error);
    assert.ok(isTroveError(thrown) && thrown.retryable);
    assert.match(thrown.detail, /lost its place in what was read/);
    server.onCommand = () => undefined;
    assert.is((await recordsOf(stingy.connector(), 'v')).length, 300);
  } finally {
    await stingy.remove();
  }
});

test('explains a refusal in a sentence and tells whether a retry may help', async () => {
  world.shop.put('a', many);
  for (const [code, name, says, passes] of [
    [
      13,
      'Unauthorized',
      /does not let this user read what is needed\. Let it, in the shell/,
      false,
    ],
    [50, 'MaxTimeMSExpired', /took too long for an answer\. Raise `timeout_s`/, false],
    [148, 'ReadConcernMajorityNotEnabled', /Leave `read_concern` out/, false],
    [11600, 'InterruptedAtShutdown', /ended the connection/, true],
    [13436, 'NotPrimaryOrSecondary', /has no member that may be read from/, true],
    [96, 'OperationFailed', /could not be read: OperationFailed/, false],
  ] as const) {
    world.server.onCommand = ({ find }) => {
      if (find !== undefined) throw new MongoError(code, name);
    };
    const thrown = await recordsOf(world.connector(), 'a').catch((error: unknown) => error);
    assert.ok(isTroveError(thrown), name);
    assert.match(thrown.detail, says);
    assert.is(thrown.retryable, passes, name);
  }
});

test('a server that asks for a pause gets one', async () => {
  world.shop.put('a', many);
  world.server.onCommand = ({ find }) => {
    if (find !== undefined)
      throw new MongoError(16500, 'TooManyRequests', 'Error=16500, RetryAfterMs=34, Details=');
  };
  const thrown = await recordsOf(world.connector(), 'a').catch((error: unknown) => error);
  assert.ok(isTroveError(thrown) && thrown.retryable && thrown.retryAfterMs === 34);
});

test('stops a slow query at its time limit or when its caller aborts', async () => {
  world.shop.put('a', many);
  let waiting = 0;
  world.server.onCommand = ({ find }) => {
    if (find === undefined) return;
    waiting++;
    return new Promise(() => undefined);
  };
  const late = await recordsOf(world.connector({ timeout_s: 1 }), 'a').catch(
    (error: unknown) => error,
  );
  assert.ok(isTroveError(late));
  assert.match(late.detail, /took too long for an answer/);

  const aborter = new AbortController();
  const before = waiting;
  const reading = recordsOf(world.connector(), 'a', { signal: aborter.signal });
  await waitUntil(() => waiting > before, 'the question comes');
  aborter.abort(new Error('given up'));
  assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
});

test('a slow server is read to its end, and a few connections serve all', async () => {
  world.shop.put('a', many);
  world.shop.create('v', 'view', { viewOn: 'a', pipeline: [{ $match: { _id: { $lt: 50 } } }] });
  world.server.onCommand = async () => new Promise((resolve) => setTimeout(resolve, 20));
  const connector = world.connector();
  const slow = connector.records?.('a/documents.jsonl', { signal: calm })[Symbol.asyncIterator]();
  await slow?.next();
  const all = await Promise.all([
    recordsOf(connector, 'a'),
    recordsOf(connector, 'a'),
    recordsOf(connector, 'v'),
    grepAll(connector, 'text 49'),
    collect(connector.list({ signal: calm })),
    recordsOf(connector, 'a', { offset: 4000 }),
  ]);
  assert.equal(
    all.map(({ length }) => length),
    [5000, 5000, 50, 113, 4, 1000],
  );
  // Four for questions, and two that watch the server.
  assert.ok(world.server.connections <= 6, String(world.server.connections));
  await slow?.return?.();
  await connector.close?.();
  await waitUntil(() => world.server.connections === 0, 'all connections are closed');
});

test('limits the memory and time of an endless answer', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  const proxy = await startHostileProxy(world.server.port);
  // A message that says it has 2 GiB.
  const endless = Buffer.alloc(65_536, '\xff\xff\xff\x7f', 'latin1');
  for (const command of ['listCollections', 'hello']) {
    proxy.replyMode = (said) => (said.includes(command) ? { endless } : 'pass');
    const target = world.target({ host: `127.0.0.1:${proxy.port}` });
    assert.match(await health({}, target), /sent more than any answer has\. Check that the host/);
  }
  await proxy.stop();
});

test('does not unpack an unrequested compressed answer', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  const proxy = await startHostileProxy(world.server.port);
  const endless = Buffer.alloc(16);
  endless.writeInt32LE(endless.length, 0);
  endless.writeInt32LE(2012, 12);
  proxy.replyMode = (said) => (said.includes('listCollections') ? { endless } : 'pass');
  const target = world.target({ host: `127.0.0.1:${proxy.port}` });
  assert.match(await health({}, target), /sent more than any answer has/);
  await proxy.stop();
});

test.run();
