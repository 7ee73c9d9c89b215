import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  emptyPageFault,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { isCheckpoint } from '@trove/core';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeHubspot } from './fake.js';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import {
  changedIds,
  hourMs,
  idsOf,
  openConnector,
  withHubspot,
  type OpenHubspot,
} from './support.js';

const test = suite('hubspot connector, faults');
const isSearch: Fault['matches'] = ({ path }) => path.endsWith('/contacts/search');
const isAny: Fault['matches'] = () => true;

function fill({ world }: Pick<OpenHubspot, 'world'>, count: number): string[] {
  world.searchSize = 2;
  return Array.from(
    { length: count },
    (_, at) => world.create('contacts', { firstname: `Bob ${at}` }).id,
  );
}

test('names a wrong token and a malformed one in the check', async () => {
  for (const [token, message] of [
    ['wrong', 'credentials not found'],
    ['wrong token', 'malformed'],
  ] as const)
    await withHubspot(
      async ({ connector }) => {
        const health = await connector.check?.({ signal: neverAborted() });
        assert.is(health?.ok, false);
        assert.match(health?.detail ?? '', 'does not accept the token');
        assert.match(health?.detail ?? '', message);
      },
      { token },
    );
});

test('names the missing scope in the check', () =>
  withHubspot(async ({ connector, world }) => {
    world.scopes.delete('crm.objects.contacts.read');
    const health = await connector.check?.({ signal: neverAborted() });
    assert.match(health?.detail ?? '', 'lacks the scope crm.objects.contacts.read');
  }));

test('leaves out the kinds that the token may not read, and says so', () =>
  withHubspot(async ({ connector, world }) => {
    world.create('deals', { dealname: 'Rocket' });
    world.scopes.delete('crm.objects.deals.read');
    world.scopes.delete('crm.objects.owners.read');
    world.create('contacts', { firstname: 'Bob', hubspot_owner_id: world.ann });
    const entries = await collect(connector.list({ signal: neverAborted() }));
    assert.equal(
      entries.flatMap(({ path, skip }) => (skip === undefined ? [] : [[path, skip]])),
      [['deals', 'The token may not read deals.']],
    );
    const [contact] = await recordsAt(connector, 'contacts');
    assert.is(contact?.author, undefined);
  }));

test('keeps the records of a kind whose scope was withdrawn', () =>
  withHubspot(async ({ connector, world }) => {
    world.create('deals', { dealname: 'Rocket' });
    world.advance(hourMs);
    const { cursor } = await changesSince(connector, undefined);
    world.scopes.delete('crm.objects.deals.read');
    world.advance(48 * hourMs);
    const warnings: string[] = [];
    const { changes } = await changesSince(connector, cursor, (sentence) =>
      warnings.push(sentence),
    );
    assert.not.ok(changes.some((change) => 'path' in change && change.path === 'deals'));
    assert.match(warnings.join(' '), 'crm.objects.deals.read. The deals are not updated.');
  }));

test('loses no object when the token is revoked at any moment', async () => {
  for (const after of [0, 1, 5, 12, 18]) {
    await using fake = await startFakeHubspot();
    fill(fake, 1);
    const connector = await openConnector(fake);
    const { cursor } = await changesSince(connector, undefined);
    fake.service.addFault(revokedTokenFault(fake.model, isAny, after));
    const error = await rejection(() => changesSince(connector, cursor));
    assert.match(error.message, 'does not accept the token', `after ${after} requests`);
    await connector.close?.();
  }
});

test('waits ten seconds if a refusal states no time', () =>
  withHubspot(async (open) => {
    fill(open, 1);
    open.service.addFault({ ...rateLimitFault(open.model, isSearch, 500), times: Infinity });
    const error = await rejection(() => recordsAt(open.connector, 'contacts'));
    assert.equal([error.code, error.retryAfterMs], ['rate_limited', 10_000]);
  }));

test('continues after an error without requesting a page twice', () =>
  withHubspot(async (open) => {
    const { connector, service } = open;
    const all = fill(open, 8);
    service.addFault({ ...serverErrorFault(isSearch), times: 1, after: 2 });
    const found: unknown[] = [];
    let resume: unknown;
    const read = async (): Promise<void> => {
      const options = { signal: neverAborted(), ...(resume === undefined ? {} : { resume }) };
      for await (const item of connector.records?.('contacts', options) ?? [])
        if (isCheckpoint(item)) resume = structuredClone(item.checkpoint);
        else found.push(...idsOf([item]));
    };
    await rejection(read).catch(() => undefined);
    if (found.length < all.length) await read();
    assert.equal(found, all);
  }));

test('fails with a truncated answer instead of losing records', () =>
  withHubspot(async (open) => {
    fill(open, 3);
    open.service.addFault({ ...truncatedFault(isSearch), times: Infinity });
    const error = await rejection(() => recordsAt(open.connector, 'contacts'));
    assert.match(error.message, 'JSON');
  }));

test('fails with an answer without a list instead of losing records', () =>
  withHubspot(async ({ connector, world, service }) => {
    fill({ world }, 5);
    service.addFault({ matches: isSearch, after: 1, apply: () => ({ json: { total: 0 } }) });
    const error = await rejection(() => recordsAt(connector, 'contacts'));
    assert.is(error.code, 'connector_unhealthy');
    assert.match(error.message, 'is not a list');
    assert.is((await recordsAt(connector, 'contacts')).length, 5);
  }));

test('reads on after a repeated page, and ends a listing that does not move', () =>
  withHubspot(async (open) => {
    const all = fill(open, 5);
    open.service.addFault(repeatedPageFault(isSearch));
    assert.equal(idsOf(await recordsAt(open.connector, 'contacts')), all);
    const empty = (body: unknown): unknown => ({ ...Object(body), results: [] });
    open.service.addFault({ ...emptyPageFault(isSearch, empty), times: Infinity });
    const error = await rejection(() => recordsAt(open.connector, 'contacts'));
    assert.match(error.message, 'repeats a page');
  }));

test('reports a record again that changed during the sync', () =>
  withHubspot(async (open) => {
    const { connector, world } = open;
    const [id = ''] = fill(open, 1);
    const { cursor } = await changesSince(connector, undefined);
    world.edit(id, { firstname: 'Rob' });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(changedIds(changes), [id]);
  }));

test.run();
