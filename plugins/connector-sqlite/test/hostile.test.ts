import { pathToFileURL } from 'node:url';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { DatabaseProcess } from '../src/database-process.js';
import { inWorld, recordsOf } from './support.js';

const test = suite('sqlite connector, hostile databases');

test(
  'fails in time for an endless view and still reads other tables',
  inWorld(async (world) => {
    const endless = (name: string) =>
      `create view ${name} as with recursive c(x) as (select 1 union all select x+1 from c) select count(*) n from c;`;
    await world.write(
      `create table a(x); insert into a values (1); ${['v', 'w', 'x', 'y', 'z'].map(endless).join(' ')}
       create view big as select hex(zeroblob(200000000)) as h, hex(zeroblob(200000000)) as i;`,
    );
    const limits = { statementMs: 3000, copyMs: 3000, interruptedMs: 500, idleMs: 1000 };
    const connector = world.connector({}, undefined, [], limits);
    const reads = ['v', 'w', 'x', 'y', 'z'].map((view) =>
      recordsOf(connector, view).catch((error: unknown) => error),
    );
    for (const outcome of await Promise.all(reads))
      assert.match(String(outcome), /took longer than 3 s|process that read the database ended/);
    assert.match(String(await Promise.race(reads)), 'took longer than 3 s');
    const big = await recordsOf(connector, 'big').catch((error: unknown) => error);
    assert.instance(big, Error);
    assert.is((await recordsOf(connector, 'a')).length, 1);
    await connector.close?.();
  }),
);

test(
  'fails running calls when the process ends, then starts another',
  inWorld(async (world) => {
    await world.write('create table a(x); insert into a values (1)');
    const process = new DatabaseProcess(testWorkers);
    const database = await process.open(pathToFileURL(world.path()).href);
    process.close();
    const error = await database.all('select 1', {}).catch((thrown: unknown) => thrown);
    assert.match(String(error), 'process that read the database ended');
    const other = await process.open(pathToFileURL(world.path()).href);
    assert.equal(await other.all('select x from a', {}), [{ x: 1 }]);
    process.close();
  }),
);

test.run();
