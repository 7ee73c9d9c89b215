// test-waits
import { createServer } from 'node:net';

import { withoutCheckpoints, isTroveError } from '@trove/core';
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

/** Generous for a busy machine. The driver's own limit is 30 s. */
const limitMs = 25_000;
/** The minimum interval of heartbeats in the driver. */
const betweenHeartbeatsMs = 700;
const host = `127.0.0.1:${world.server.port}`;

/** Returns the result of a check without the name of the database. */
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
    'Check the user, `password` (for example env:DB_PASSWORD), and `auth_source`, the database in which the user was created.';
  assert.is(await health({ password: 'wrong' }), `false: ${host} refused the password. ${remedy}`);
  const local = world.target({ user: 'local@' });
  assert.is(await health({}, local), `false: ${host} refused the password. ${remedy}`);
  assert.match(await health({ auth_source: 'shop' }, local), /^true/);
  assert.is(
    await health({ password: '' }),
    `false: ${host} requires a password. Set \`password\`, preferably as a reference such as env:DB_PASSWORD.`,
  );
  assert.match(
    await health({}, world.target({ user: '' })),
    /requires a user and a password\. Name the user/,
  );
  assert.match(
    await health({}, world.target({ database: '/nowhere' })),
    /nowhere at .* does not exist on that server, or is hidden from this user\. Check the name of the database/,
  );
  assert.is(
    await health({ collections: ['a', 'c'] }),
    `false: ${host} has no collection or view c. It has: a, b. Correct \`collections\` or remove it.`,
  );
  assert.match(
    await health({ append_only: ['c'] }),
    /has no collection c\. .* Correct `append_only`/,
  );
  assert.match(
    await health({ tls: 'verify' }),
    /offers no encryption\. Set `tls` to "off" if you trust the network/,
  );
});

test('reports an unreachable or silent host in time', async () => {
  assert.match(
    await health({}, world.target({ host: '127.0.0.1:1' })),
    /cannot be reached\. Check that it runs, check its host and port/,
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

test('rejects a target without a host or a database', () => {
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

test('encrypts the connection and verifies certificates', async () => {
  const secure = await World.make({ tls: untrustedCertificate });
  secure.shop.put('a', [{ _id: 1 }]);
  try {
    const target = secure.target({ host: `localhost:${secure.server.port}` });
    assert.match(
      await health({ tls: 'verify' }, target, secure),
      /has a certificate that is not trusted\. Set `ca` to the certificate of its authority/,
    );
    const ca = untrustedCertificate.cert;
    assert.match(await health({ tls: 'verify', ca }, target, secure), /^true/);
    assert.match(await health({ tls: 'unverified' }, target, secure), /^true/);
  } finally {
    await secure.remove();
  }
});

test('accepts a target that is an alias of the configured database', async () => {
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
  assert.match(await said({ uri: own.replace(':secret', '') }), /requires a password/);
  assert.match(await said({ uri: `${own}?tls=true` }), /offers no encryption/);
});

test('reports unresolvable members of a replica set, unless `direct` is set', async () => {
  const hello = { setName: 'rs0', hosts: ['no-such-member.invalid:27017'], secondary: false };
  const set = await World.make({ hello });
  set.shop.put('a', [{ _id: 1 }]);
  try {
    assert.match(
      await health({}, set.target(), set),
      /members are unreachable by the names that it reports\. Make these names resolvable/,
    );
    assert.match(await health({ direct: true }, set.target(), set), /^true/);
  } finally {
    await set.remove();
  }
});

test('reads only permitted collections and reports a user without rights', async () => {
  world.shop.put('a', [{ _id: 1, x: 'y' }]);
  world.shop.put('b', [{ _id: 1 }]);
  const target = world.target({ user: 'limited@' });
  assert.match(await health({}, target), /^true: A MongoDB database with 1 collections/);
  assert.is((await recordsOf(world.connector({}, target), 'a')).length, 1);
  assert.match(
    await health({}, world.target({ user: 'nothing@' })),
    /hidden from this user\. .* grant access: db\.grantRolesToUser/,
  );
});

const many = Array.from({ length: 5000 }, (_, at) => ({ _id: at, x: `text ${at}` }));

test('survives a killed connection and a restarted server during a read', async () => {
  world.shop.put('a', many);
  const connector = world.connector();
  let count = 0;
  for await (const { key } of withoutCheckpoints(
    connector.records?.('a/documents.jsonl', { signal: calm }) ?? [],
  )) {
    assert.is(key['_id'], count++);
    if (count === 20) assert.ok(world.server.kill() > 0);
    if (count !== 2000) continue;
    await world.server.stop();
    await world.server.start();
  }
  assert.is(count, 5000);
});

test('fails with a retryable error when connections keep being killed', async () => {
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
  await waitUntil(read, 'a read succeeds again');
});

test('opens new connections after a server has ended all', async () => {
  const polled = await World.make({ isPolled: true });
  const { server, shop } = polled;
  shop.put('a', many);
  try {
    const connector = polled.connector();
    const from = performance.now();
    await recordsOf(connector, 'a', { limit: 1 });
    // The driver then sends a heartbeat immediately, on a connection that is closing.
    await waitUntil(
      () => performance.now() > from + betweenHeartbeatsMs,
      'the driver may send a heartbeat',
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

test('reads a whole collection although the server loses cursors', async () => {
  const stingy = await World.make({ maxBatchDocuments: 7 });
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
      let count = 0;
      server.onCommand = (command) => {
        if ('getMore' in command && ++count % 3 === 0) interrupt();
      };
      const records = await recordsOf(stingy.connector(), 'a');
      assert.equal(
        records.map(({ key }) => key['_id']),
        [...Array(300).keys()],
      );
      assert.ok(count > 3);
    }
    // A read of a view cannot resume.
    server.onCommand = (command) => {
      if ('getMore' in command) server.loseCursors();
    };
    const thrown = await recordsOf(stingy.connector(), 'v').catch((error: unknown) => error);
    assert.ok(isTroveError(thrown) && thrown.retryable);
    assert.match(thrown.detail, /lost the cursor of a read/);
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
      /does not let this user read the required data\. Grant access in the shell/,
      false,
    ],
    [50, 'MaxTimeMSExpired', /exceeded the time limit of a query\. Raise `timeout_s`/, false],
    [148, 'ReadConcernMajorityNotEnabled', /Remove `read_concern`/, false],
    [11600, 'InterruptedAtShutdown', /ended the connection/, true],
    [13436, 'NotPrimaryOrSecondary', /has no readable member/, true],
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

test('waits as long as a throttling server demands', async () => {
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
  assert.match(late.detail, /exceeded the time limit of a query/);

  const aborter = new AbortController();
  const before = waiting;
  const reading = recordsOf(world.connector(), 'a', { signal: aborter.signal });
  await waitUntil(() => waiting > before, 'the query arrives');
  aborter.abort(new Error('given up'));
  assert.match(String(await reading.catch((error: unknown) => error)), 'given up');
});

test('reads a slow server completely over a few connections', async () => {
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
  // Four for queries, and two for monitoring.
  assert.ok(world.server.connections <= 6, String(world.server.connections));
  await slow?.return?.();
  await connector.close?.();
  await waitUntil(() => world.server.connections === 0, 'all connections are closed');
});

test('limits the memory and time of an endless answer', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  const proxy = await startHostileProxy(world.server.port);
  // A message that announces 2 GiB.
  const endless = Buffer.alloc(65_536, '\xff\xff\xff\x7f', 'latin1');
  for (const command of ['listCollections', 'hello']) {
    proxy.replyMode = (said) => (said.includes(command) ? { endless } : 'pass');
    const target = world.target({ host: `127.0.0.1:${proxy.port}` });
    assert.match(
      await health({}, target),
      /sent more data than any valid answer\. Check that the host/,
    );
  }
  await proxy.stop();
});

test('does not decompress an unrequested compressed answer', async () => {
  world.shop.put('a', [{ _id: 1 }]);
  const proxy = await startHostileProxy(world.server.port);
  const endless = Buffer.alloc(16);
  endless.writeInt32LE(endless.length, 0);
  endless.writeInt32LE(2012, 12);
  proxy.replyMode = (said) => (said.includes('listCollections') ? { endless } : 'pass');
  const target = world.target({ host: `127.0.0.1:${proxy.port}` });
  assert.match(await health({}, target), /sent more data than any valid answer/);
  await proxy.stop();
});

test.run();
