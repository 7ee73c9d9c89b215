import { isCheckpoint } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { collect } from '@trove/test-support/collect.js';
import { changesSince, neverAborted, recordsAt } from '@trove/test-support/connector-reads.js';
import {
  emptyPageFault,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import { rejection } from '@trove/test-support/rejection.js';
import { startFakeIntercom } from './fake.js';
import {
  changedKeys,
  hourMs,
  keysOf,
  openConnector,
  requestsOf,
  syncAll,
  withIntercom,
  type OpenIntercom,
} from './support.js';

const test = suite('intercom connector, faults');
/** The check requests one conversation. */
const isSearch: Fault['matches'] = ({ path, body }) =>
  path === '/conversations/search' && Object(body).pagination.per_page > 1;
const isOne: Fault['matches'] = ({ path }) => /^\/conversations\/\d+$/.test(path);
const isAny: Fault['matches'] = () => true;

function fill({ world }: Pick<OpenIntercom, 'world'>, count: number): void {
  for (let number = 1; number <= count; number++) {
    const { id } = world.write(`Case ${number}`);
    world.reply(id, 'Sorry.');
    world.advance(1000);
  }
  world.advance(hourMs);
}

test('names a wrong token in the check', () =>
  withIntercom(
    async ({ connector }) => {
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.ok, false);
      assert.match(health?.detail ?? '', 'does not accept the token');
    },
    { token: 'wrong' },
  ));

test('names the number of conversations in the check', () =>
  withIntercom(async (open) => {
    fill(open, 3);
    const health = await open.connector.check?.({ signal: neverAborted() });
    assert.equal(health, { ok: true, detail: 'The app can read 3 conversations.' });
  }));

test('names the missing permission of conversations in the check', () =>
  withIntercom(async ({ connector, world }) => {
    world.forbidden.add('/conversations');
    const health = await connector.check?.({ signal: neverAborted() });
    assert.is(health?.ok, false);
    assert.match(health?.detail ?? '', 'lacks the permission "Read conversations"');
  }));

test('names other missing permissions, and keeps their objects', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    fill(open, 2);
    world.open('Printer', 'It smokes.');
    world.publish('Guide', '<p>Do it.</p>');
    const { cursor } = await syncAll(connector);
    world.forbidden.add('/articles');
    world.forbidden.add('/tickets');
    const listing = await rejection(() => collect(connector.list({ signal: neverAborted() })));
    assert.is(listing.code, 'listing_incomplete');
    assert.match(listing.message, 'lacks the permission "Read and List articles"');
    const records = await rejection(() => recordsAt(connector, 'tickets'));
    assert.match(records.message, 'lacks the permission "Read tickets"');
    const warnings: string[] = [];
    const { changes } = await changesSince(connector, cursor, (each) => warnings.push(each));
    for (const name of ['Read tickets', 'Read and List articles'])
      assert.ok(
        warnings.some((each) => each.includes(name)),
        name,
      );
    assert.not.ok(changes.some((change) => 'removed' in change));
    assert.is((await recordsAt(connector, 'conversations')).length, 4);
  }));

test('reads on without names that the app may not read', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    fill(open, 1);
    for (const path of ['/admins', '/teams', '/contacts']) world.forbidden.add(path);
    const [first, second] = await recordsAt(connector, 'conversations');
    assert.equal(first?.threadFields?.['people'], []);
    assert.is(first?.threadFields?.['assignee'], undefined);
    assert.is(first?.author, 'Bob Baker');
    assert.is(second?.author, 'Ann Archer');
  }));

test('reads on if the app may not list deleted conversations', () =>
  withIntercom(async (open) => {
    const { world, connector } = open;
    fill(open, 1);
    world.forbidden.add('/conversations/deleted');
    const { cursor } = await syncAll(connector);
    const { id } = world.write('New');
    const warnings: string[] = [];
    const second = await changesSince(connector, cursor, (each) => warnings.push(each));
    assert.ok(changedKeys(second.changes).includes(id));
    assert.equal(warnings, []);
  }));

test('reads a workspace whose plan has no internal articles', () =>
  withIntercom(async ({ world, connector }) => {
    world.excluded.add('/internal_articles');
    world.publish('Guide', '<p>Do it.</p>');
    const paths = (await collect(connector.list({ signal: neverAborted() }))).map(
      ({ path }) => path,
    );
    assert.equal(paths, ['conversations', 'tickets', 'articles/Guides/First steps/Guide.html']);
  }));

test('fails if the plan of the workspace has ended', () =>
  withIntercom(async (open) => {
    fill(open, 1);
    open.world.publish('Guide', '<p>Do it.</p>');
    open.world.excluded.add('/');
    const error = await rejection(() => collect(open.connector.list({ signal: neverAborted() })));
    assert.match(error.message, 'Active subscription needed');
    assert.is.not(error.code, 'listing_incomplete');
  }));

test('fails for a successful answer that states an error', () =>
  withIntercom(async ({ world, connector, service }) => {
    world.publish('Guide', '<p>Do it.</p>');
    for (const path of ['/articles', '/internal_articles', '/conversations/deleted']) {
      const { cursor } = await syncAll(connector);
      const errors = [{ code: 'server_error', message: 'Please try again.' }];
      service.addFault({
        matches: (request) => request.path === path,
        apply: () => ({ json: { type: 'error.list', errors } }),
      });
      const error = await rejection(() => changesSince(connector, cursor));
      assert.match(error.message, 'Please try again.');
      assert.is(error.retryable, true);
    }
  }));

test('loses no object when the token is revoked at any moment', async () => {
  for (let after = 0; after < 5; after++) {
    await using fake = await startFakeIntercom();
    fill(fake, 1);
    fake.world.publish('Guide', '<p>Do it.</p>');
    const connector = await openConnector(fake);
    const { cursor } = await syncAll(connector);
    fake.service.addFault(revokedTokenFault(fake.model, isAny, after));
    const error = await rejection(() => changesSince(connector, cursor));
    assert.match(error.message, 'does not accept the token', `after ${after} requests`);
    await connector.close?.();
  }
});

test('waits until the limit is reset', () =>
  withIntercom(async (open) => {
    fill(open, 2);
    // A request is repeated twice, because the answer has no `Retry-After`.
    open.service.addFault({ ...rateLimitFault(open.model, isSearch, 30_000), times: 3 });
    const error = await rejection(() => recordsAt(open.connector, 'conversations'));
    assert.equal([error.code, error.retryable], ['rate_limited', true]);
    const waitMs = error.retryAfterMs ?? 0;
    assert.ok(waitMs > 28_000 && waitMs <= 31_000, String(waitMs));
  }));

test('continues after an error without requesting a conversation twice', () =>
  withIntercom(async (open) => {
    const { connector, service } = open;
    fill(open, 4);
    service.addFault({ ...serverErrorFault(isOne), after: 2, times: Infinity });
    const found: string[] = [];
    let resume: unknown;
    const error = await rejection(async () => {
      for await (const item of connector.records?.('conversations', { signal: neverAborted() }) ??
        [])
        if (isCheckpoint(item)) resume = structuredClone(item.checkpoint);
        else found.push(...keysOf([item]));
    });
    assert.match(error.message, '502');
    const requested = new Set(requestsOf(open).filter((each) => /\/conversations\/\d/.test(each)));
    await using other = await startFakeIntercom();
    fill(other, 4);
    const next = await openConnector(other);
    const rest = keysOf(await recordsAt(next, 'conversations', { resume }));
    await next.close?.();
    assert.is(new Set([...found, ...rest]).size, 8);
    const again = requestsOf({ ...other }).filter((each) => /\/conversations\/\d/.test(each));
    assert.is(requested.size + again.length, 4 + 1, 'only the failed request is repeated');
  }));

const failures: readonly (readonly [string, () => Fault, RegExp])[] = [
  ['an error page', () => ({ ...serverErrorFault(isOne), after: 0, times: Infinity }), /502/],
  [
    'an answer without a list of conversations',
    () => ({ matches: isSearch, times: Infinity, apply: () => ({ json: { pages: {} } }) }),
    /is not a list/,
  ],
  [
    'a conversation without its parts',
    () => ({ matches: isOne, times: Infinity, apply: () => ({ json: { id: '1' } }) }),
    /is not a list/,
  ],
  ['a truncated answer', () => ({ ...truncatedFault(isOne), times: Infinity }), /JSON/],
];
for (const [name, fault, message] of failures)
  test(`fails with ${name} instead of losing messages`, () =>
    withIntercom(async (open) => {
      fill(open, 3);
      open.service.addFault(fault());
      const error = await rejection(() => recordsAt(open.connector, 'conversations'));
      assert.match(error.message, message);
    }));

test('reads on after an empty page and after a repeated page', async () => {
  const faults = [
    emptyPageFault(isSearch, (body) => ({ ...Object(body), conversations: [] })),
    repeatedPageFault(isSearch),
  ];
  const counts: number[] = [];
  for (const fault of faults)
    await withIntercom(async (open) => {
      fill(open, 160);
      open.service.addFault(fault);
      counts.push((await recordsAt(open.connector, 'conversations')).length);
    });
  assert.equal(counts, [20, 320]);
});

test('leaves out a conversation that is deleted during the sync', () =>
  withIntercom(async (open) => {
    const { world, connector, service } = open;
    fill(open, 2);
    const [first = ''] = world.conversations.keys();
    service.addFault({
      matches: isSearch,
      apply: async (_request, normal) => {
        const answer = await normal();
        world.removeConversation(first);
        return answer;
      },
    });
    assert.is((await recordsAt(connector, 'conversations')).length, 3);
  }));

test('misses no conversation that changes during a search', () =>
  withIntercom(async (open) => {
    const { world, connector, service } = open;
    fill(open, 160);
    const [first = ''] = world.conversations.keys();
    service.addFault({
      matches: isSearch,
      apply: async (_request, normal) => {
        const answer = await normal();
        world.reply(first, 'Thanks.');
        return answer;
      },
    });
    const keys = new Set(keysOf(await recordsAt(connector, 'conversations')));
    assert.is(keys.size, 321);
  }));

test('lists everything again with a cursor of another version', () =>
  withIntercom(async ({ connector, world }) => {
    fill({ world }, 1);
    const { changes } = await changesSince(connector, { v: 0 });
    assert.equal(changes[0], { reset: true });
    assert.ok((await collect(connector.list({ signal: neverAborted() }))).length > 0);
  }));

test.run();
