import { pathToFileURL } from 'node:url';
import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { defaultLimits } from '../src/database-process.js';
import { ProcessPool } from '../src/process-pool.js';
import { SqliteReader } from '../src/reader.js';
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
    const limits = { statementMs: 3000, copyMs: 3000, interruptedMs: 500 };
    const processes = new ProcessPool(testWorkers, { ...defaultLimits, ...limits });
    const connector = world.connector({}, undefined, [], processes);
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
    const processes = new ProcessPool(testWorkers);
    const process = processes.acquire();
    const database = await process.open(pathToFileURL(world.path()).href);
    process.end();
    const error = await database.all('select 1', {}).catch((thrown: unknown) => thrown);
    assert.match(String(error), 'process that read the database ended');
    const next = processes.acquire();
    const other = await next.open(pathToFileURL(world.path()).href);
    assert.equal(await other.all('select x from a', {}), [{ x: 1 }]);
    next.end();
  }),
);

test(
  'repeats a statement whose process another database ended',
  inWorld(async (world) => {
    await world.write('create table a(x); insert into a values (1), (2)');
    const processes = new ProcessPool(testWorkers, { ...defaultLimits, maxProcesses: 1 });
    const reader = await SqliteReader.open(
      { path: world.path(), processes, deniedRoots: [], allowedRoots: [] },
      new AbortController().signal,
      () => undefined,
    );
    processes.acquire().end();
    assert.equal(await reader.query('select x from a'), [{ x: 1 }, { x: 2 }]);
    await reader.close();
  }),
);

test.run();
