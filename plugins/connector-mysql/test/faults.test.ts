// test-waits
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { testUnless } from '@trove/test-support/skips.js';
import { testFaults } from '@trove/test-support/sql/faults.js';
import { World } from './support.js';

const test = suite('mysql connector, faults');
/** A packet of the maximum size, after which another one must follow. */
const endless = Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 1]), Buffer.alloc(0xff_ffff)]);

if (noMariadb === null) {
  const server = await startMariadb();
  const world = new World(server);
  test.after(() => server.stop());
  test.before.each(() => world.clear());

  const connections = `select id from information_schema.processlist
    where id <> connection_id() and user = 'root' and db = 'shop'`;
  const health = testFaults(test, world, {
    source: 'A MySQL source',
    name: 'The MySQL database shop at ',
    missingDatabase:
      /nowhere at .* does not exist on that server, or is hidden from this user\. Check the name of the database/,
    tables: 'a, b',
    rejectedTargets: [
      ['mysql://db.example.org/shop', 'a user'],
      ['mysql://reader@/shop', 'a host'],
      ['mysql://reader@db.example.org/shop/customers', 'one database'],
    ],
    dsn: { scheme: 'mysql+pymysql', encrypted: 'ssl-mode=VERIFY_CA' },
    catalog: 'information_schema.tables',
    endlessReply: endless,
    createSlowView: 'create view slow as select 1 as x, sleep(60) as y',
    connections,
    slowConnections: `${connections} and state = 'User sleep'`,
    lock: 'lock tables a write',
    unlock: 'unlock tables',
    lockTimeout: 'set lock_wait_timeout = 30',
    kill: async () => {
      for (const row of await world.write(connections))
        if (typeof row === 'object' && row !== null && 'id' in row)
          await world.write(`kill ${String(row.id)}`).catch(() => undefined);
    },
  });

  test('names the databases of the server when one is missing', async () => {
    await world.write('create table a(x int)');
    assert.match(
      await health({ schemas: ['more'] }, world.target({ database: '' })),
      /has no database more\. It has: shop\./,
    );
  });

  test('omits unreadable tables and reports a user without rights', async () => {
    await world.write(`create table a(id int primary key); create table b(x int); insert into a values (1);
      create or replace user reader@localhost identified by 'reader'`);
    const config = { password: 'reader' };
    const target = world.target({ user: 'reader', database: '' });
    assert.match(
      await health(config, target),
      /does not let the user reader read any table\. Grant access to a database/,
    );
    await world.write('grant select on shop.a to reader@localhost');
    assert.is(await health(config, target), 'true: A MySQL source with 1 tables and views.');
    assert.is((await world.recordsOf(world.connector(config, target), 'shop/a')).length, 1);
    await world.write('drop user reader@localhost');
  });
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
