import { isCheckpoint, isTroveError } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault, serverErrorFault, truncatedFault } from '../../src/http/fake/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import type { HttpDescription } from '../../src/http/index.js';
import { credentialsOf } from './test-credentials.js';
import {
  deskPlugin,
  neverAborted,
  openConnector,
  recordsAt,
  requestsOf,
  withDesk,
} from './open-desk.js';

const test = suite('limits and errors of web services');

const tickets: HttpDescription['streams'] = {
  tickets: {
    get: '/link/tickets',
    page: 'link',
    in: 'tickets',
    key: 'id',
    record: { title: 'title' },
  },
};
const isTickets = ({ path }: { path: string }): boolean => path === '/link/tickets';

test('states the pause of a rate limit, and each page is requested once', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 9; id++) desk.addTicket(id, 1);
    service.addFault(rateLimitFault(desk, isTickets, 60_000));
    const first = await rejection(() => recordsAt(connector, 'tickets'));
    assert.ok(first.retryable);
    assert.is(first.code, 'rate_limited');
    assert.ok((first.retryAfterMs ?? 0) > 50_000, String(first.retryAfterMs));
    const second = await rejection(() => recordsAt(connector, 'tickets'));
    assert.ok((second.retryAfterMs ?? 0) > 50_000, 'the login waits');
    assert.equal(requestsOf(service), []);
  }));

test('pauses after one refusal without a time', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    desk.addTicket(1, 1);
    service.addFault({ matches: isTickets, apply: () => ({ status: 429 }), times: Infinity });
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.is(error.retryAfterMs, 60_000);
    assert.is(service.exchanges.filter(({ request }) => isTickets(request)).length, 1);
  }));

test('continues at the last checkpoint after each pause', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 9; id++) desk.addTicket(id, 1);
    service.addFault({
      matches: isTickets,
      after: 1,
      apply: () => ({
        status: 403,
        headers: {
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(Date.now() / 1000 + 6),
        },
      }),
    });
    let resume: unknown;
    const error = await rejection(async () => {
      for await (const item of connector.records?.('tickets', { signal: neverAborted() }) ?? [])
        if (isCheckpoint(item)) resume = item.checkpoint;
    });
    assert.ok(error.retryable && (error.retryAfterMs ?? 0) > 4000);
    service.forget();
    const later = await openConnector(deskPlugin({ streams: tickets }), service, {
      credentials: credentialsOf({ token: 'good' }, 'another login'),
    });
    const rest = await recordsAt(later, 'tickets', { resume });
    await later.close?.();
    assert.equal(
      rest.map(({ key }) => key['id']),
      [3, 4, 5, 6, 7, 8, 9],
    );
    assert.is(requestsOf(service).length, 4);
  }));

test('waits for the end of the limit that is reached, of several that an answer states', () =>
  withDesk({ streams: tickets }, async ({ service }) => {
    const plugin = deskPlugin({
      streams: tickets,
      errors: [{ when: { status: 400 }, do: 'wait' }],
      limits: { waitFrom: ['header.x-calls-reset', 'header.x-points-reset'], wait: '20s' },
    });
    const waitAfter = async (calls: number, points: number): Promise<number | undefined> => {
      const headers = {
        'x-calls-remaining': String(calls),
        'x-calls-reset': '1000',
        'x-points-remaining': String(points),
        'x-points-reset': '3000',
      };
      service.addFault({ matches: isTickets, apply: () => ({ status: 400, headers }) });
      // Another login is not paused.
      const credentials = credentialsOf({ token: 'good' }, `login ${calls} ${points}`);
      const connector = await openConnector(plugin, service, { credentials });
      const { retryAfterMs } = await rejection(() => recordsAt(connector, 'tickets'));
      await connector.close?.();
      return retryAfterMs;
    };
    assert.is(await waitAfter(0, 7), 1_000_000);
    assert.is(await waitAfter(7, 0), 3_000_000);
    assert.is(await waitAfter(7, 7), 20_000);
  }));

test('sources of one login share a budget, and the last one frees it', () =>
  withDesk(
    { streams: tickets, limits: { budgets: [{ match: '/link/', requests: 2, per: '1h' }] } },
    async ({ connector, service }) => {
      const plugin = deskPlugin({ streams: tickets });
      const other = await openConnector(plugin, service);
      await recordsAt(connector, 'tickets');
      await recordsAt(other, 'tickets');
      const error = await rejection(() => recordsAt(other, 'tickets'));
      assert.ok(error.retryable && (error.retryAfterMs ?? 0) > 3_000_000);
      await other.close?.();
      await connector.close?.();
      const next = await openConnector(plugin, service);
      await recordsAt(next, 'tickets');
      await next.close?.();
    },
  ));

test('repeats an interrupted answer, and reports it as retryable', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    desk.addTicket(1, 1);
    service.addFault(truncatedFault(isTickets));
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.ok(error.retryable);
    assert.match(error.message, 'cut off');
    assert.is((await recordsAt(connector, 'tickets')).length, 1);
  }));

test('reports an error page on page 3 as retryable', () =>
  withDesk({ streams: tickets }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 9; id++) desk.addTicket(id, 1);
    service.addFault(serverErrorFault(isTickets, 500));
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.ok(error.retryable);
    assert.match(error.message, 'HTTP 500');
  }));

test('applies rules to errors in successful answers', () =>
  withDesk(
    {
      streams: tickets,
      errors: [
        {
          when: { body: { error: ['missing_scope'] } },
          do: 'fail',
          code: 'missing_scope',
          say: 'The token lacks the scope {needed}.',
        },
      ],
    },
    async ({ connector, service }) => {
      service.addFault({
        matches: isTickets,
        apply: () => ({ json: { ok: false, error: 'missing_scope', needed: 'tickets:read' } }),
      });
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.is(error.publicCode, 'desk.missing_scope');
      assert.is(error.message, 'The token lacks the scope tickets:read.');
      assert.not(error.retryable);
    },
  ));

test('fails for a list that does not exist', () =>
  withDesk(
    { streams: { tickets: { ...tickets['tickets'], get: '/nothing' } } },
    async ({ connector }) => {
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.match(error.message, 'HTTP 404');
    },
  ));

test('an abort ends a wait', () =>
  withDesk(
    { streams: tickets, limits: { budgets: [{ match: '/link/', requests: 1, per: '4s' }] } },
    async ({ connector }) => {
      await recordsAt(connector, 'tickets');
      const aborter = new AbortController();
      const reading = recordsAt(connector, 'tickets', { signal: aborter.signal });
      aborter.abort(new Error('enough'));
      const outcome = await reading.then(
        () => 'read',
        (error: unknown) => (isTroveError(error) ? error.code : String(error)),
      );
      assert.is.not(outcome, 'read');
    },
  ));

test.run();
