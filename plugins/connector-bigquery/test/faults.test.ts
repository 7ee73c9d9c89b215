import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  rateLimitFault,
  revokedTokenFault,
  truncatedFault,
  type Fault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { problem } from './fake/problems.js';
import { entriesOf, recordsAt } from '@trove/test-support/connector-reads.js';
import { id, name, withBigQuery, type OpenBigQuery } from './source.js';

const test = suite('BigQuery connector, faults');

const isRead: Fault['matches'] = ({ path }) => path.endsWith('/data');
const path = 'sales/people/rows.jsonl';

/** Opens a table whose rows take three pages. */
function withTable(use: (open: OpenBigQuery) => Promise<void>): Promise<void> {
  return withBigQuery(async (open) => {
    const rows = Array.from({ length: 5 }, (_, at) => [String(at), `name ${at}`]);
    open.fake.world.addTable('sales', 'people', { fields: [id, name], key: ['id'], rows });
    open.fake.world.rowsPerPage = 2;
    await entriesOf(open.connector);
    await use(open);
  });
}

async function countRows(connector: Connector): Promise<number> {
  return (await recordsAt(connector, path)).length;
}

test('waits as a rate limit demands', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault(rateLimitFault(fake.model, isRead, 60_000));
    const error = await rejection(() => countRows(connector));
    assert.is(error.code, 'rate_limited');
    assert.ok((error.retryAfterMs ?? 0) > 0);
  }));

test('fails retryably on server errors and truncated answers', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault({
      matches: isRead,
      after: 1,
      apply: () => problem(500, 'backendError', 'Try again'),
    });
    fake.service.addFault(truncatedFault(isRead));
    for (let count = 0; count < 2; count++)
      assert.is((await rejection(() => countRows(connector))).retryable, true);
    assert.is(await countRows(connector), 5);
  }));

test('fails when the service returns the same page again', () =>
  withTable(async ({ fake, connector }) => {
    let second: Awaited<ReturnType<Fault['apply']>> | undefined;
    fake.service.addFault({
      matches: ({ path: requested, query }) =>
        requested.endsWith('/data') && query.has('pageToken'),
      times: 2,
      apply: async (_request, normal) => (second ??= await normal()),
    });
    const error = await rejection(() => countRows(connector));
    assert.is(error.retryable, true);
    assert.match(error.message, 'twice');
  }));

test('fails when an answer does not state whether the query has ended', () =>
  withBigQuery(async ({ fake, connector }) => {
    fake.world.addTable('sales', 'people', { fields: [id, name], rows: [['1', 'Ada']] });
    fake.world.addView('sales', 'names', 'sales.people', ['name']);
    await entriesOf(connector);
    fake.service.addFault({
      matches: ({ path: requested }) => requested.endsWith('/queries'),
      apply: async (_request, normal) => {
        const { json, ...answer } = await normal();
        const { jobReference }: { readonly jobReference?: unknown } = Object(json);
        return { ...answer, json: { jobReference } };
      },
    });
    const error = await rejection(() => recordsAt(connector, 'sales/names/rows.jsonl'));
    assert.equal([error.code, error.retryable], ['connector_unhealthy', true]);
    assert.match(error.message, 'does not state whether a query has ended');
    assert.is((await recordsAt(connector, 'sales/names/rows.jsonl')).length, 1);
  }));

test('requests a new token when one is refused in the middle', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault({
      matches: isRead,
      after: 1,
      apply: (request) => {
        fake.world.accessTokens.clear();
        return fake.model.unauthorized(request);
      },
    });
    assert.is(await countRows(connector), 5);
    fake.service.addFault(revokedTokenFault(fake.model, isRead, 0));
    assert.match((await rejection(() => countRows(connector))).message, 'HTTP 401');
  }));

test('deletes nothing when the project is not found', () =>
  withTable(async ({ fake, connector }) => {
    fake.service.addFault({
      matches: ({ path: requested }) => requested.endsWith('/datasets'),
      apply: () => problem(404, 'notFound', 'Not found: Project acme'),
    });
    const error = await rejection(() => entriesOf(connector));
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.message, 'There is no project');
  }));

test('deletes nothing when a listing is refused', () =>
  withTable(async ({ fake, connector }) => {
    fake.world.hasRight = false;
    const error = await rejection(() => entriesOf(connector));
    assert.is(error.pluginCode, 'bigquery.missing_right');
  }));

test.run();
