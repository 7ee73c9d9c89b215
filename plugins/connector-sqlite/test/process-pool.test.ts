import { testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { defaultLimits } from '../src/database-process.js';
import { ProcessPool } from '../src/process-pool.js';
import { inWorld, recordsOf } from './support.js';

const test = suite('sqlite connector, processes');

test(
  'reads many databases with a few processes',
  inWorld(async (world) => {
    const processes = new ProcessPool(testWorkers, { ...defaultLimits, maxProcesses: 2 });
    const names = Array.from({ length: 6 }, (_, at) => `${at}.db`);
    for (const name of names)
      await world.write(`create table a(x); insert into a values (1)`, name);
    const connectors = names.map((name) => world.connector({}, name, [], processes));
    const found = await Promise.all(connectors.map((connector) => recordsOf(connector, 'a')));
    assert.equal(
      found.map((records) => records.length),
      names.map(() => 1),
    );
    assert.is(processes.size, 2);
  }),
);

test('shares a process only when all are in use', () => {
  const processes = new ProcessPool(testWorkers, { ...defaultLimits, maxProcesses: 2 });
  const first = processes.acquire();
  const second = processes.acquire();
  assert.is.not(second, first);
  assert.is(processes.acquire(), first);
  processes.release(second);
  assert.is(processes.acquire(), second, 'the one without users');
  first.end();
  assert.is.not(processes.acquire(), first);
  assert.is(processes.size, 2);
});

test('ends an idle process', async () => {
  const ended: (() => void)[] = [];
  const workers = {
    ...testWorkers,
    startProcess: () => ({
      pid: 1,
      postMessage: () => undefined,
      listen: () => undefined,
      ref: () => undefined,
      unref: () => undefined,
      yieldProcessors: () => undefined,
      terminate: async () => ended.shift()?.(),
    }),
  };
  const processes = new ProcessPool(workers, { ...defaultLimits, idleMs: 1 });
  const end = new Promise<void>((resolve) => ended.push(resolve));
  const keepAlive = setTimeout(() => undefined, 60_000);
  processes.release(processes.acquire());
  await end;
  clearTimeout(keepAlive);
  assert.is(processes.size, 0);
});

test(
  'ends the statements of a source that is closed, and no others',
  inWorld(async (world) => {
    const endless =
      'create view v as with recursive c(x) as (select 1 union all select x+1 from c) select x from c where x < 0;';
    await world.write(endless, 'endless.db');
    await world.write('create table a(x); insert into a values (1)');
    const processes = new ProcessPool(testWorkers, { ...defaultLimits, maxProcesses: 1 });
    const connector = world.connector({}, 'endless.db', [], processes);
    const other = world.connector({}, undefined, [], processes);
    const reading = recordsOf(connector, 'v').catch((error: unknown) => error);
    assert.is((await recordsOf(other, 'a')).length, 1);
    await connector.close?.();
    const error = await reading;
    assert.instance(error, Error);
    assert.not.match(String(error), /took longer|process that read/);
    assert.is((await recordsOf(other, 'a')).length, 1);
  }),
);

test.run();
