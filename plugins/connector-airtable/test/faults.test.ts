import type { Connector } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { neverAborted, openAirtable, recordsAt, withCrm, type Crm } from './source.js';

const test = suite('faults of Airtable');

async function healthOf(connector: Connector): Promise<string> {
  const found = await connector.check?.({ signal: neverAborted() });
  return `${found?.ok} ${found?.detail}`;
}

function fill({ fake: { world }, contacts }: Crm, count: number): void {
  for (let at = 0; at < count; at++) world.createRow(contacts, { Name: `Person ${at}` });
}

test('waits 30 seconds after a refusal, and requests no page twice', () =>
  withCrm(async (crm) => {
    const { fake, base, connector } = crm;
    fill(crm, 250);
    const isSecondPage = ({ query }: { readonly query: URLSearchParams }): boolean =>
      query.has('offset');
    fake.service.addFault(rateLimitFault(fake.model, isSecondPage, 30_000));
    let resume: unknown;
    const seen = new Set<unknown>();
    const run = async (own: Connector): Promise<void> => {
      for await (const item of own.records?.('contacts', { resume, signal: neverAborted() }) ?? [])
        if ('checkpoint' in item) resume = item.checkpoint;
        else seen.add(item.key['id']);
    };
    const error = await rejection(() => run(connector));
    assert.equal([error.code, error.retryable, error.retryAfterMs], ['rate_limited', true, 30_000]);
    assert.is(seen.size, 100);
    // Another login is not paused, so the test need not wait.
    const other = await openAirtable(fake, {
      target: `airtable://${base.id}`,
      context: {
        credentials: {
          login: 'another login',
          get: () => Promise.resolve('pat-1'),
          refresh: () => Promise.resolve('pat-1'),
        },
      },
    });
    await run(other);
    await other.close?.();
    assert.is(seen.size, 250);
    const answered = fake.service.exchanges.filter(
      ({ request, status }) => status === 200 && request.path.includes('/tbl'),
    );
    assert.is(answered.length, 3);
  }));

test('starts a listing over when its position has expired', () =>
  withCrm(async (crm) => {
    const { fake, connector } = crm;
    fill(crm, 250);
    fake.service.addFault({
      matches: ({ query }) => query.has('offset'),
      apply: (_request, normal) => {
        fake.world.iterators.clear();
        return normal();
      },
    });
    assert.is((await recordsAt(connector, 'contacts')).length, 250);
  }));

test('continues after an error page, a truncated answer, a repeated page and an empty one', () =>
  withCrm(async (crm) => {
    const { fake, connector } = crm;
    fill(crm, 250);
    const isRecords = ({ path }: { readonly path: string }): boolean => path.includes('/tbl');
    const source = new SyncedSource(connector);
    fake.service.addFault(serverErrorFault(isRecords));
    fake.service.addFault(truncatedFault(isRecords));
    fake.service.addFault(repeatedPageFault(isRecords));
    await source.sync();
    assert.is(source.recordsOf('contacts').length, 250);
    fake.service.addFault(emptyPageFault(isRecords, (json) => ({ ...Object(json), records: [] })));
    assert.is((await recordsAt(connector, 'contacts')).length, 150);
  }));

test('repeats a request whose answer has no list', () =>
  withCrm(async (crm) => {
    const { fake, connector } = crm;
    fill(crm, 1);
    const source = new SyncedSource(connector);
    const listings = ['/v0/meta/bases', `/v0/meta/bases/${crm.base.id}/tables`, '/tbl'];
    for (const [repeats, path] of listings.entries()) {
      fake.service.addFault({
        matches: (request) => request.path.includes(path),
        // The check requests the tables, too.
        after: path.startsWith('/v0/') ? 1 : 0,
        apply: () => ({ json: {} }),
      });
      await source.sync();
      assert.is(source.repeats, repeats + 1, path);
      assert.is(source.recordsOf('contacts').length, 1);
    }
  }));

test('fails when the token is refused in the middle of a listing', () =>
  withCrm(async (crm) => {
    const { fake, connector } = crm;
    fill(crm, 150);
    fake.service.addFault(revokedTokenFault(fake.model, ({ path }) => path.includes('/tbl'), 1));
    const error = await rejection(() => recordsAt(connector, 'contacts'));
    assert.match(error.message, 'Airtable refused the token');
  }));

test('stops at the monthly limit of the plan in place of waiting', () =>
  withCrm(async (crm) => {
    const { fake, connector } = crm;
    fill(crm, 1);
    fake.world.isUsedUp = true;
    const error = await rejection(() => new SyncedSource(connector).sync());
    assert.match(error.message, 'used up the API calls');
    assert.not(error.retryable);
  }));

test('reads records without the scope for comments', () =>
  withCrm(async ({ fake, contacts, connector }) => {
    const ada = fake.world.createRow(contacts, { Name: 'Ada' });
    fake.world.comment(ada, 'Hello');
    fake.world.scopes.delete('data.recordComments:read');
    const records = await recordsAt(connector, 'contacts');
    assert.equal(
      records.map(({ text }) => text),
      ['Name: Ada'],
    );
  }));

test('checks the token, its scopes and its bases', () =>
  withCrm(async ({ fake, base, connector }) => {
    const { world } = fake;
    assert.is(
      await healthOf(connector),
      'true The token may read the base with 2 tables: contacts, deals.',
    );
    const all = await openAirtable(fake);
    assert.is(await healthOf(all), 'true The token may read 1 base: crm.');
    const wrong = await openAirtable(fake, { target: `airtable://${base.id}/tblNone` });
    assert.match(await healthOf(wrong), /^false .*no table tblNone.*deals/);
    world.scopes.delete('schema.bases:read');
    assert.match(await healthOf(connector), /^false .*schema\.bases:read/);
    world.tokens.clear();
    assert.match(await healthOf(connector), /^false .*refused the token/);
    world.tokens.add('pat-1');
    world.scopes.add('schema.bases:read');
    world.bases.clear();
    assert.match(await healthOf(all), /^true .*may read no base/);
    for (const each of [all, wrong]) await each.close?.();
  }));

test.run();
