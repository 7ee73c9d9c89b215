import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, truncatedFault, type Fault } from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { entriesOf, recordsAt } from '@trove/test-support/connector-reads.js';
import { id, name, withSnowflake, type OpenSnowflake } from './source.js';

const test = suite('Snowflake connector, faults');

const isPartition: Fault['matches'] = ({ query }) => query.has('partition');

/** Opens a table whose rows take three partitions. */
function withTable(use: (open: OpenSnowflake) => Promise<void>): Promise<void> {
  return withSnowflake(async (open) => {
    const { world } = open.fake;
    const rows = Array.from({ length: 5 }, (_, at) => [String(at), `name ${at}`]);
    world.addTable('PUBLIC', 'PEOPLE', { columns: [id, name], key: ['ID'], rows });
    world.rowsPerPartition = 2;
    await use(open);
  });
}

async function countRows(connector: Connector): Promise<number> {
  return (await recordsAt(connector, 'PUBLIC/PEOPLE/rows.jsonl')).length;
}

test('waits as a rate limit demands', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault(rateLimitFault(fake.model, isPartition, 60_000));
    const error = await rejection(() => countRows(connector));
    assert.is(error.code, 'rate_limited');
    assert.is(error.retryAfterMs, 60_000);
  }));

test('fails retryably on server errors, truncated answers and lost results', () =>
  withTable(async ({ fake, connector }) => {
    for (const [after, status] of [500, 404].entries())
      fake.service.addFault({
        matches: isPartition,
        after,
        apply: () => ({ status, json: { code: '000000', message: 'Try again' } }),
      });
    assert.is((await rejection(() => countRows(connector))).retryable, true);
    assert.is((await rejection(() => countRows(connector))).retryable, true);
    fake.service.addFault(truncatedFault(isPartition));
    assert.is((await rejection(() => countRows(connector))).retryable, true);
    assert.is(await countRows(connector), 5);
  }));

test('fails when an answer has no rows instead of losing them', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault({ matches: isPartition, apply: () => ({ json: {} }) });
    assert.is((await rejection(() => countRows(connector))).retryable, true);
    assert.is(await countRows(connector), 5);
  }));

test('lists more tables than one answer shows, and fails if a schema has too many', () =>
  withSnowflake(
    async ({ fake: { world }, connector }) => {
      const more = (count: number): void => {
        for (let at = 0; at < count; at++)
          world.addTable('PUBLIC', `T${world.tables.size}`, { columns: [id], rows: [] });
      };
      more(9999);
      world.addTable('SALES', 'LAST', { columns: [id], rows: [] });
      world.addTable('SALES', 'PEOPLE', { columns: [id], rows: [] });
      assert.ok((await entriesOf(connector)).has('SALES/PEOPLE/rows.jsonl'));
      more(1);
      assert.match(
        (await rejection(() => entriesOf(connector))).message,
        'has 10000 tables or more',
      );
    },
    { tables: ['PEOPLE'] },
  ));

test('fails when a view cannot be explained for a moment instead of leaving it out', () =>
  withTable(async ({ fake, connector }) => {
    fake.world.addView('PUBLIC', 'NAMES', 'PUBLIC.PEOPLE', ['NAME']);
    fake.service.addFault({
      matches: ({ body }) => JSON.stringify(body).includes('explain'),
      apply: () => ({
        status: 422,
        json: { code: '000604', sqlState: '57014', message: 'SQL execution canceled' },
      }),
    });
    assert.match((await rejection(() => entriesOf(connector))).message, 'SQL execution canceled');
    assert.is((await entriesOf(connector)).get('PUBLIC/NAMES/rows.jsonl')?.skip, undefined);
  }));

test('signs a new token when one is refused in the middle', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault({
      matches: isPartition,
      apply: (request) => fake.model.unauthorized(request),
    });
    assert.is(await countRows(connector), 5);
    fake.world.refusedTokens = Infinity;
    assert.match((await rejection(() => countRows(connector))).message, 'JWT token is invalid');
  }));

test('names a missing warehouse', () =>
  withTable(async ({ fake, connector }) => {
    const statementHandle = '01b2c3d4-0000-1111-0000-000100020003';
    fake.service.addFault({
      matches: ({ body }) => JSON.stringify(body).includes('select *'),
      apply: () => ({
        status: 422,
        json: {
          code: '000606',
          message: 'No active warehouse',
          sqlState: '57P03',
          statementHandle,
        },
      }),
    });
    const error = await rejection(() => countRows(connector));
    assert.is(error.pluginCode, 'snowflake.no_warehouse');
    assert.match(error.message, 'Set `warehouse`');
  }));

test('deletes nothing when a listing is refused', () =>
  withTable(async ({ fake, connector }) => {
    fake.world.hasRight = false;
    const error = await rejection(() => entriesOf(connector));
    assert.is(error.pluginCode, 'snowflake.missing_right');
  }));

test.run();
