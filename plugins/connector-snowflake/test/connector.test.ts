import type { Entry } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import {
  changedPaths,
  entriesOf,
  neverAborted,
  recordsAt,
} from '@trove/test-support/connector-reads.js';
import {
  id,
  name,
  note,
  openSnowflake,
  settingsFor,
  statementsOf,
  withSnowflake,
} from './source.js';

const test = suite('Snowflake connector');

const people = 'PUBLIC/PEOPLE/rows.jsonl';

function skipsOf(entries: ReadonlyMap<string, Entry>): readonly (readonly [string, string])[] {
  return [...entries.values()].flatMap(({ path, skip }) =>
    skip === undefined ? [] : [[path, skip]],
  );
}

test('reads every type of value', () =>
  withSnowflake(async ({ fake: { world }, connector }) => {
    const typed = {
      BIG: ['FIXED', '9007199254740993', '9007199254740993'],
      RATE: ['REAL', '2.5', 2.5],
      PAID: ['BOOLEAN', 'true', true],
      DAY: ['DATE', '20514', '2026-03-02'],
      NOON: ['TIME', '43200.500000000', '12:00:00.5'],
      LOCAL: ['TIMESTAMP_NTZ', '1772445600.000000000', '2026-03-02T10:00:00'],
      UPDATED_AT: ['TIMESTAMP_LTZ', '1772445600.123456789', '2026-03-02T10:00:00.123456789Z'],
      ZONED: ['TIMESTAMP_TZ', '1772445600.000000000 1560', '2026-03-02T10:00:00Z'],
      BEFORE: ['TIMESTAMP_LTZ', '-0.500000000', '1969-12-31T23:59:59.5Z'],
      FACTS: ['VARIANT', '{"a":[1]}', { a: [1] }],
      HASH: ['BINARY', '01FE', String.raw`\x01fe`],
      NONE: ['TEXT', null, null],
    } as const;
    const columns = Object.entries(typed).map(([column, [type]]) => ({ name: column, type }));
    const cells = Object.values(typed).map(([, cell]) => cell);
    world.addTable('PUBLIC', 'PEOPLE', {
      key: ['ID'],
      columns: [id, { name: 'TOTAL', type: 'FIXED', scale: 2 }, ...columns],
      rows: [['1', '12.50', ...cells]],
    });
    const [record] = await recordsAt(connector, people);
    assert.equal(record?.key, { ID: 1 });
    assert.equal(record?.fields, {
      ID: 1,
      TOTAL: '12.50',
      ...Object.fromEntries(Object.entries(typed).map(([column, [, , value]]) => [column, value])),
    });
    assert.is(record?.at, Date.parse('2026-03-02T10:00:00.123Z'));
  }));

test('finds changes without the warehouse', () =>
  withSnowflake(async ({ fake, connector }) => {
    const { world } = fake;
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id, name], rows: [['1', 'Ada']], key: ['ID'] });
    world.addTable('SALES', 'ORDERS', { columns: [id], rows: [['1']] });
    world.addView('SALES', 'NAMES', 'PUBLIC.PEOPLE', ['NAME']);
    const before = await entriesOf(connector);
    assert.equal(changedPaths(before, await entriesOf(connector)), []);
    world.write('PUBLIC.PEOPLE', (rows) => void rows.push(['2', 'Ben']));
    const changed = changedPaths(before, await entriesOf(connector));
    assert.equal(changed, [people, 'SALES/NAMES/rows.jsonl']);
    assert.equal(world.warehouseStatements, []);
  }));

test('sends five statements and one per view to find that nothing has changed', () =>
  withSnowflake(async ({ fake, connector }) => {
    const { world } = fake;
    for (const table of ['A', 'B']) world.addTable('PUBLIC', table, { columns: [id] });
    world.addView('PUBLIC', 'V', 'PUBLIC.A', ['ID']);
    await entriesOf(connector);
    fake.service.forget();
    await entriesOf(connector);
    assert.equal(statementsOf(fake), [
      'show tables in database "SHOP"',
      'show views in database "SHOP"',
      'show columns in database "SHOP"',
      'show primary keys in database "SHOP"',
      'explain using json select * from "SHOP"."PUBLIC"."V"',
    ]);
  }));

test('finds an update of equal size only with `last_altered`', async () => {
  const update = (last_altered: boolean): Promise<void> =>
    withSnowflake(
      async ({ fake: { world }, connector }) => {
        world.addTable('PUBLIC', 'PEOPLE', { columns: [name], rows: [['Ada']] });
        const before = await entriesOf(connector);
        world.write('PUBLIC.PEOPLE', ([row]) => row?.splice(0, 1, 'Eva'));
        const changed = changedPaths(before, await entriesOf(connector));
        assert.equal(changed, last_altered ? [people] : []);
      },
      { last_altered },
    );
  await update(false);
  await update(true);
});

test('reads all partitions of a result, also after a wait', () =>
  withSnowflake(async ({ fake, connector }) => {
    const { world } = fake;
    const rows = Array.from({ length: 5 }, (_, at) => [String(at), `n${at}`]);
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id, name], rows });
    world.rowsPerPartition = 2;
    world.slowPolls = 2;
    assert.is((await recordsAt(connector, people)).length, 5);
    const statuses = fake.service.exchanges.map(({ status }) => status);
    assert.is(statuses.filter((status) => status === 202).length, 2);
  }));

test('cancels a statement whose caller has left', () =>
  withSnowflake(async ({ fake, connector }) => {
    const { world } = fake;
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id], rows: [['1']] });
    world.slowPolls = Infinity;
    const controller = new AbortController();
    fake.service.addFault({
      matches: ({ path }) => /statements\/[^/]+$/.test(path),
      apply: async (_request, normal) => {
        controller.abort();
        return normal();
      },
    });
    const records = connector.records?.(people, { signal: controller.signal });
    const read = (): Promise<unknown> => collect(records);
    assert.is(await read().catch(() => 'aborted'), 'aborted');
    assert.ok(fake.service.exchanges.some(({ request }) => request.path.endsWith('/cancel')));
  }));

test('finds a row by its key, and numbers equal rows without one', () =>
  withSnowflake(async ({ fake: { world }, connector }) => {
    const rows = [
      ['1', 'Ada'],
      ['2', 'Ben'],
    ];
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id, name], key: ['ID'], rows });
    world.addTable('PUBLIC', 'LOG', { columns: [note], rows: [['same'], ['same']] });
    const [found] = await recordsAt(connector, people, { key: { ID: 2 } });
    assert.is(found?.fields['NAME'], 'Ben');
    assert.match(world.warehouseStatements[0] ?? '', 'where to_varchar("ID") = ?');
    const keys = (await recordsAt(connector, 'PUBLIC/LOG/rows.jsonl')).map(
      ({ key }) => key['ROW'] ?? key['row'],
    );
    assert.is(keys[1], `${keys[0]}-2`);
  }));

test('reads no more bytes in one sync than allowed', () =>
  withSnowflake(
    async ({ fake: { world }, connector }) => {
      for (const table of ['A', 'B', 'LARGE'])
        world.addTable('PUBLIC', table, { columns: [id], rows: [['1']] }).bytes =
          table === 'LARGE' ? 2048 : 600;
      world.addView('PUBLIC', 'WIDE', 'PUBLIC.LARGE', ['ID']);
      const skips = skipsOf(await entriesOf(connector));
      assert.equal(
        skips.map(([path]) => path),
        ['PUBLIC/LARGE/rows.jsonl', 'PUBLIC/WIDE/rows.jsonl'],
      );
      await recordsAt(connector, 'PUBLIC/A/rows.jsonl');
      const error = await rejection(() => recordsAt(connector, 'PUBLIC/B/rows.jsonl'));
      assert.is(error.pluginCode, 'snowflake.byte_limit');
      await entriesOf(connector);
      assert.is((await recordsAt(connector, 'PUBLIC/B/rows.jsonl')).length, 1);
    },
    { max_bytes: 1024 },
  ));

test('logs in with a programmatic access token', () =>
  withSnowflake(async ({ fake, connector }) => {
    fake.world.accessTokens.add('pat-1');
    const other = await openSnowflake({ base_url: fake.service.origin, token: 'pat-1' });
    assert.is((await other.check?.({ signal: neverAborted() }))?.ok, true);
    await other.close?.();
    fake.world.publicKeys = [];
    const health = await connector.check?.({ signal: neverAborted() });
    assert.match(`${health?.ok} ${health?.detail}`, /^false .*JWT token is invalid/);
  }));

test('names a key that is not one, and a missing login', () =>
  withSnowflake(async ({ fake }) => {
    const { base_url } = settingsFor(fake);
    const checks = [{ base_url, user: 'reader', private_key: 'key' }, { base_url }];
    const details: string[] = [];
    for (const settings of checks) {
      const connector = await openSnowflake(settings);
      const health = await connector.check?.({ signal: neverAborted() });
      details.push(`${health?.ok} ${health?.detail}`);
      await connector.close?.();
    }
    assert.match(details[0] ?? '', /^false .*not a private key in PEM format/);
    assert.match(details[1] ?? '', /^false .*set `private_key` and a user, or `token`/);
  }));

test('tells in a check what a first sync would read', () =>
  withSnowflake(async ({ fake: { world }, connector }) => {
    const check = async (): Promise<string> => {
      const health = await connector.check?.({ signal: neverAborted() });
      return `${health?.ok} ${health?.detail}`;
    };
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id] }).bytes = 5 * 1024 * 1024;
    world.addTable('PUBLIC', 'HUGE', { columns: [id] }).bytes = 3 * 1024 ** 3;
    assert.is(
      await check(),
      'true A Snowflake source with 2 tables and views. A first sync reads 5 MiB. Left out: 1, for example PUBLIC.HUGE: reading it takes 3 GiB, and `max_bytes` allows 1 GiB in one sync. The warehouse runs only while rows are read.',
    );
    assert.equal(world.warehouseStatements, []);
    world.hasRight = false;
    assert.match(await check(), /^false .*does not exist or not authorized/s);
  }));

test('leaves out a view whose table is gone', () =>
  withSnowflake(async ({ fake: { world }, connector }) => {
    world.addTable('PUBLIC', 'GONE', { columns: [id] });
    world.addView('PUBLIC', 'BROKEN', 'PUBLIC.GONE', ['ID']);
    world.remove('PUBLIC.GONE');
    const skips = new Map(skipsOf(await entriesOf(connector)));
    assert.match(skips.get('PUBLIC/BROKEN/rows.jsonl') ?? '', 'does not exist');
  }));

test.run();
