import { isCheckpoint } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import {
  emptyPageFault,
  type Fault,
  missingMembersFault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeZendesk } from './fake.js';
import { changesSince, neverAborted } from '@trove/test-support/connector-reads.js';
import {
  changedKeys,
  hourMs,
  keysOf,
  openConnector,
  recordsAt,
  syncAll,
  withZendesk,
  type OpenZendesk,
} from './support.js';

const test = suite('zendesk connector, faults');
const isTickets: Fault['matches'] = ({ path }) => path.includes('/incremental/tickets/');
const isEvents: Fault['matches'] = ({ path }) => path.includes('/incremental/ticket_events');
const isArticles: Fault['matches'] = ({ path }) => path.endsWith('/help_center/articles.json');
const isAny: Fault['matches'] = () => true;

function fill({ world }: Pick<OpenZendesk, 'world'>, count: number): void {
  world.exportSize = 2;
  for (let number = 1; number <= count; number++) {
    world.create({ subject: `Case ${number}`, description: 'It happened.' });
    world.advance(1000);
  }
  world.advance(hourMs);
}

test('names a wrong login in the check', () =>
  withZendesk(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'does not accept the login');
    },
    { api_token: 'wrong' },
  ));

test('takes an anonymous user for a refused login', () =>
  withZendesk(async ({ connector, service }) => {
    const json = { user: { id: null, name: 'Anonymous user', role: 'end-user' } };
    service.addFault({ matches: isAny, times: 2, apply: () => ({ json }) });
    const health = await connector.check?.({ signal: neverAborted() });
    assert.match(health?.detail ?? '', 'does not accept the login');
  }));

test('names the missing role in the check and in an export', () =>
  withZendesk(async ({ connector, world, service }) => {
    world.role = 'agent';
    const health = await connector.check?.({ signal: neverAborted() });
    assert.match(health?.detail ?? '', 'Ann Archer has the role "agent"');
    world.role = 'admin';
    const json = { error: { title: 'Forbidden', message: 'You do not have access.' } };
    service.addFault({ matches: isTickets, apply: () => ({ status: 403, json }) });
    const error = await rejection(() => recordsAt(connector));
    assert.match(error.message, 'needs the role "admin"');
  }));

test('loses no object when the token is revoked at any moment', async () => {
  for (let after = 0; after < 4; after++) {
    await using fake = await startFakeZendesk();
    fill(fake, 1);
    fake.world.writeArticle('Guide', '<p>Do it.</p>');
    const connector = await openConnector(fake);
    const { cursor } = await syncAll(connector);
    fake.service.addFault(revokedTokenFault(fake.model, isAny, after));
    const error = await rejection(() => changesSince(connector, cursor));
    assert.match(error.message, 'does not accept the login', `after ${after} requests`);
    await connector.close?.();
  }
});

test('waits as long as a refused export states', () =>
  withZendesk(async (open) => {
    fill(open, 2);
    open.service.addFault(rateLimitFault(open.model, isTickets, 30_000));
    const error = await rejection(() => recordsAt(open.connector));
    assert.equal([error.code, error.retryable], ['rate_limited', true]);
    assert.ok((error.retryAfterMs ?? 0) > 29_000);
  }));

test('sends at most ten requests for exports a minute', () =>
  withZendesk(async (open) => {
    fill(open, 30);
    const error = await rejection(() => recordsAt(open.connector));
    assert.is(error.code, 'rate_limited');
    assert.is(open.service.exchanges.filter(({ request }) => isTickets(request)).length, 10);
  }));

test('continues after an error without requesting a page twice', () =>
  withZendesk(async (open) => {
    const { connector, service } = open;
    fill(open, 8);
    service.addFault({ ...serverErrorFault(isTickets), times: Infinity });
    const found: string[] = [];
    let resume: unknown;
    const error = await rejection(async () => {
      for await (const item of connector.records?.('tickets', { signal: neverAborted() }) ?? [])
        if (isCheckpoint(item)) resume = structuredClone(item.checkpoint);
        else found.push(...keysOf([item]));
    });
    assert.match(error.message, '502');
    assert.equal(found, ['1', '2', '3', '4']);
    await using other = await startFakeZendesk();
    fill(other, 8);
    const next = await openConnector(other);
    const rest = keysOf(await recordsAt(next, { resume }));
    await next.close?.();
    assert.equal(rest.slice(0, 4), ['5', '6', '7', '8']);
  }));

const failures: readonly (readonly [string, () => Fault, RegExp])[] = [
  ['an error page', () => ({ ...serverErrorFault(isEvents), after: 0, times: Infinity }), /502/],
  [
    'an answer without a list of events',
    () => ({ matches: isEvents, apply: () => ({ json: { end_of_stream: true } }) }),
    /is not a list/,
  ],
  [
    'an answer without a list of tickets',
    () => ({ matches: isTickets, apply: () => ({ json: { end_of_stream: true } }) }),
    /is not a list/,
  ],
  [
    'an answer that does not state the end of the tickets',
    () => missingMembersFault(isTickets, ['end_of_stream', 'after_cursor']),
    /does not state the end of the listing/,
  ],
  [
    'an answer that does not state the end of the events',
    () => missingMembersFault(isEvents, ['end_of_stream']),
    /has no `end_of_stream`/,
  ],
  [
    'an answer that does not state the time of the last event',
    () => missingMembersFault(isEvents, ['end_time']),
    /has no `end_time`/,
  ],
  ['a truncated answer', () => ({ ...truncatedFault(isEvents), times: Infinity }), /JSON/],
];
for (const [name, fault, message] of failures)
  test(`fails with ${name} instead of losing comments`, () =>
    withZendesk(async (open) => {
      fill(open, 3);
      open.service.addFault(fault());
      const error = await rejection(() => recordsAt(open.connector));
      assert.match(error.message, message);
    }));

const laterArticles = { matches: isArticles, after: 1 } as const;
for (const [name, fault, message] of [
  [
    'the second page of articles does not exist',
    { ...laterArticles, apply: () => ({ status: 404, json: { error: 'RecordNotFound' } }) },
    'a later page of the listing of `articles` is gone',
  ],
  [
    'a page of articles does not state whether there are more',
    missingMembersFault(isArticles, ['meta']),
    'has no `meta.has_more`',
  ],
] as const satisfies readonly (readonly [string, Fault, string])[])
  test(`fails when ${name}`, () =>
    withZendesk(async ({ connector, service, world }) => {
      for (let number = 1; number <= 101; number++) world.writeArticle(`Guide ${number}`, 'Do it.');
      service.addFault(fault);
      const error = await rejection(() => collect(connector.list({ signal: neverAborted() })));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, message);
    }));

test('lists no articles of an account without a help center', () =>
  withZendesk(async ({ connector, service }) => {
    service.addFault({
      matches: isArticles,
      apply: () => ({ status: 404, json: { error: 'RecordNotFound' } }),
    });
    const entries = await collect(connector.list({ signal: neverAborted() }));
    assert.equal(
      entries.map(({ path }) => path),
      ['tickets'],
    );
  }));

test('reads on after an empty page and after a repeated page', async () => {
  const faults = [
    emptyPageFault(isTickets, (body) => ({ ...Object(body), tickets: [] })),
    repeatedPageFault(isTickets),
  ];
  const counts: number[] = [];
  for (const fault of faults)
    await withZendesk(async (open) => {
      fill(open, 5);
      open.service.addFault(fault);
      counts.push((await recordsAt(open.connector)).length);
    });
  assert.equal(counts, [8, 10]);
});

test('continues by time when a cursor has expired', () =>
  withZendesk(async (open) => {
    const { connector, world } = open;
    fill(open, 3);
    const first = await syncAll(connector);
    world.advance(hourMs);
    const second = await changesSince(connector, first.cursor);
    world.cursorGeneration++;
    world.create({ subject: 'New', description: 'It happened.' });
    world.advance(hourMs);
    const third = await changesSince(connector, second.cursor);
    assert.ok(changedKeys(third.changes).includes('4'));
  }));

test('keeps the cursor of an export in which nothing came', () =>
  withZendesk(async (open) => {
    const { connector, world, service } = open;
    fill(open, 3);
    let { cursor } = await syncAll(connector);
    world.setTags(1, ['news']);
    for (let run = 1; run <= 3; run++) {
      world.advance(hourMs);
      service.forget();
      ({ cursor } = await changesSince(connector, cursor));
      const requests = service.exchanges.filter(({ request }) => isTickets(request));
      assert.is(requests[0]?.request.query.has('cursor'), run > 1);
    }
  }));

test('lists everything again with a cursor of another version', () =>
  withZendesk(async ({ connector, world }) => {
    fill({ world }, 1);
    const { changes } = await changesSince(connector, { v: 0 });
    assert.equal(changes[0], { reset: true });
    assert.ok((await collect(connector.list({ signal: neverAborted() }))).length > 0);
  }));

test.run();
