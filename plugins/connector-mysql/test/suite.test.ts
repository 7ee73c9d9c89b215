import { suite } from 'uvu';

import { missingInDatabases, testConformance } from '@trove/test-support/conformance.js';
import { noMariadb, startMariadb } from '@trove/test-support/mariadb.js';
import { testUnless } from '@trove/test-support/skips.js';
import { column, nameComment, notNull, tablesSubject } from '@trove/test-support/sql/subject.js';
import { World } from './support.js';

const test = suite('mysql connector, conformance');

const id = column('id', 'int(11)', notNull);
const name = column('name', 'varchar(40)', { ...notNull, ...nameComment });
const primary = (...columns: string[]): object => ({ name: 'PRIMARY', unique: true, columns });

const tables = {
  schema: 'shop',
  odd: { schema: '50% off/#1 ?', table: '☺ `x', folder: '50%25 off%2F#1 ?/☺ `x' },
  people: `create table people(id int primary key, name varchar(40) not null comment 'As on the passport',
    note text default 'none') comment = 'Who is who'`,
  described: {
    people: {
      columns: [id, name, column('note', 'text', { default: "'none'" })],
      indexes: [primary('id')],
    },
    shown: {
      columns: [column('uuid', 'int(11)', notNull), name],
      sql: 'select `shop`.`people`.`id` AS `uuid`,`shop`.`people`.`name` AS `name` from `shop`.`people`',
    },
    odd: {
      columns: [column('a b?', 'varchar(20)', notNull), column('n', 'int(11)', notNull)],
      indexes: [primary('a b?', 'n')],
    },
  },
};

if (noMariadb === null) {
  const server = await startMariadb();
  test.after(() => server.stop());
  const world = new World(server);
  const target = world.target({ database: '' });
  const emptyTarget = world.target({ database: 'empty' });
  await testConformance(
    test,
    async (work) => work(await tablesSubject(world, { ...tables, target, emptyTarget })),
    [...missingInDatabases, 'addReply', 'expireCursors', 'moveFolder', 'replaceCredential'],
  );
} else testUnless(noMariadb, test)('it holds on MariaDB', () => undefined);

test.run();
