import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
  type Fault,
} from '@trove/connector-kit/http/fake';
import { collect } from '@trove/test-support/collect.js';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { startFakeLinear, type FakeLinear } from './fake.js';
import { openLinear } from './source.js';
import { healthOf, neverAborted, withLinear } from './with-linear.js';

const test = suite('Linear connector, access and faults');

const isIssues: Fault['matches'] = ({ body }) =>
  /^\s*query[^{]*\{\s*issues\(/.test(String(Object(body).query));

function fill({ world }: FakeLinear): void {
  for (let index = 0; index < 250; index++) world.createIssue();
}

/** Returns the error of a full listing of issues. */
function failureOf(connector: Connector): ReturnType<typeof rejection> {
  return rejection(() => collect(connector.records?.('issues', { signal: neverAborted() })));
}

test('names the workspace and the person, and refuses another workspace', () =>
  withLinear(async ({ fake, connector }) => {
    assert.is(await healthOf(connector), 'true Connected to Acme as ann.');
    fake.world.urlKey = 'umbrella';
    assert.match(await healthOf(connector), /^false .*workspace umbrella, not to acme/);
  }));

test('names a refused token and a missing right', () =>
  withLinear(async ({ fake, connector }) => {
    fake.world.mayRead = false;
    assert.match(await healthOf(connector), /^false The token lacks a right.*"Read"/);
    fake.world.mayRead = true;
    fake.world.tokens.clear();
    assert.match(await healthOf(connector), /^false Linear refused the token: Authentication/);
    assert.is((await failureOf(connector)).pluginCode, 'linear.login');
  }));

test('sends an API key as it is, and an OAuth token as a bearer', async () => {
  await using fake = await startFakeLinear();
  fake.world.tokens.add('lin_oauth_1');
  for (const token of ['lin_api_1', 'lin_oauth_1']) {
    const connector = await openLinear(fake, { token });
    assert.match(await healthOf(connector), /^true /);
    await connector.close?.();
  }
  assert.equal(
    fake.service.exchanges.map(({ request }) => request.headers['authorization']),
    ['lin_api_1', 'Bearer lin_oauth_1'],
  );
});

for (const form of ['requests', 'complexity'] as const)
  test(`waits until the limit of ${form} ends, which the service states with status 400`, () =>
    withLinear(async ({ fake, connector }) => {
      fill(fake);
      fake.limitForm = form;
      fake.service.addFault(rateLimitFault(fake.model, isIssues, 1_800_000));
      const error = await failureOf(connector);
      assert.is(error.code, 'rate_limited');
      const waitMs = error.retryAfterMs ?? 0;
      assert.ok(waitMs > 1_790_000 && waitMs <= 1_800_000, String(waitMs));
    }));

test('continues after errors of the server, cut off answers and repeated pages', () =>
  withLinear(async ({ fake, connector }) => {
    fill(fake);
    const { service } = fake;
    service.addFault(serverErrorFault(isIssues));
    service.addFault(truncatedFault(isIssues));
    service.addFault(repeatedPageFault(isIssues));
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf('issues').length, 250);
    assert.ok(source.repeats > 0);
  }));

test('ends a listing when the token is revoked', () =>
  withLinear(async ({ fake, connector }) => {
    fill(fake);
    fake.service.addFault(revokedTokenFault(fake.model, isIssues, 1));
    const error = await failureOf(connector);
    assert.is(error.pluginCode, 'linear.login');
    assert.is(error.retryable, false);
  }));

test('fails when an answer has only a part of the data, or none', () =>
  withLinear(async ({ fake, connector }) => {
    fill(fake);
    const errors = [{ message: 'Something broke', extensions: { code: 'INPUT_ERROR' } }];
    const partial = { issues: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } } };
    for (const json of [
      { data: partial, errors },
      { data: null, errors },
    ]) {
      fake.service.addFault({ matches: isIssues, apply: () => ({ json }) });
      assert.match((await failureOf(connector)).message, 'Something broke');
    }
    for (const data of [null, { issues: null }, { issues: { nodes: [] } }]) {
      fake.service.addFault({ matches: isIssues, apply: () => ({ json: { data } }) });
      assert.is((await failureOf(connector)).code, 'connector_unhealthy');
    }
  }));

test('starts a listing over when the service does not know a cursor any more', () =>
  withLinear(async ({ fake, connector }) => {
    fill(fake);
    fake.service.addFault({
      matches: isIssues,
      apply: async (_request, normal) => {
        const { json } = await normal();
        Object(json).data.issues.pageInfo.endCursor = 'expired';
        return { json };
      },
    });
    const source = new SyncedSource(connector);
    await source.sync();
    assert.is(source.recordsOf('issues').length, 250);
    assert.equal(
      fake.service.exchanges.flatMap(({ request, status, json }) =>
        isIssues(request) ? [`${status} ${Object(json).errors === undefined}`] : [],
      ),
      ['200 true', '200 false', '200 true', '200 true', '200 true'],
    );
  }));

test.run();
