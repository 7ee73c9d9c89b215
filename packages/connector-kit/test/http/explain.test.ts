import type { Connector, SyncExplanation } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { HttpDescription } from '../../src/http/index.js';
import { changesSince, neverAborted, recordsAt, requestsOf, withDesk } from './open-desk.js';

const test = suite('explanation of the requests of a web service');

/** Tickets with comments, and a setting that turns a stream off. */
const description: Pick<HttpDescription, 'lookups' | 'streams'> = {
  streams: {
    tickets: {
      get: ({ target }) => `/${target.authority === 'acme' ? 'link' : 'next'}/tickets`,
      query: { state: 'all', team: '{config.team}' },
      page: 'link',
      keep: ['id'],
      in: 'tickets',
      key: 'id',
      record: { title: 'title', thread: '{id}' },
      incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1h' },
    },
    comments: {
      for: 'tickets',
      get: ({ item }) => `/tickets/${encodeURIComponent(Object(item).id)}/comments`,
      items: 'items',
      in: 'tickets',
      key: 'id',
      record: { text: 'text', thread: '{tickets.id}' },
    },
    reviews: {
      for: 'tickets',
      when: (ticket: { readonly kind?: string }, { config }) =>
        Object(config).reviews === true && ticket.kind === 'review',
      get: '/tickets/{id}/reviews',
      in: 'tickets',
      key: 'id',
    },
  },
  lookups: { users: { get: '/users/{id}', value: 'profile.name' } },
};

async function explain(connector: Connector, cursor?: unknown): Promise<SyncExplanation> {
  const explanation = await connector.explain?.({ cursor, signal: neverAborted() });
  if (explanation === undefined) throw new Error('the connector has no `explain`');
  return explanation;
}

function namesAndRequests({ requests }: SyncExplanation, origin: string): string[] {
  return requests.map(({ name, request }) => `${name}: ${request.replace(origin, '')}`);
}

test('shows the requests of a full sync, as they are then made', () =>
  withDesk(description, async ({ desk, service, connector }) => {
    desk.addTicket(1, Date.parse('2026-01-01'));
    const explanation = await explain(connector);
    assert.equal(service.exchanges.length, 0);
    assert.not(explanation.incremental);
    assert.equal(namesAndRequests(explanation, service.origin), [
      'check: GET /me',
      'tickets: GET /link/tickets?state=all',
      'comments: GET /tickets/{id}/comments',
      'users, look-up: GET /users/{id}',
    ]);
    const [, tickets, comments, users] = explanation.requests;
    assert.is(tickets?.paged, true);
    assert.is(comments?.repeats, 'for each of tickets');
    assert.is(users?.repeats, 'for each id, if needed');
    await recordsAt(connector, 'tickets');
    assert.equal(requestsOf(service), ['/link/tickets?state=all', '/tickets/1/comments']);
  }));

test('shows the incremental requests that follow a cursor', () =>
  withDesk(description, async ({ service, connector }) => {
    const { cursor } = await changesSince(connector, undefined);
    const before = service.exchanges.length;
    const explanation = await explain(connector, cursor);
    assert.equal(service.exchanges.length, before);
    assert.ok(explanation.incremental);
    await changesSince(connector, cursor);
    const [made] = requestsOf(service).slice(-1);
    assert.match(made ?? '', /^\/link\/tickets\?state=all&since=\d{4}-/);
    const shown = explanation.requests.map(({ request }) => request);
    assert.ok(shown.includes(`GET ${service.origin}${made}`), JSON.stringify(shown));
    assert.is(explanation.requests[2]?.repeats, 'for each changed item of tickets');
    assert.not((await explain(connector, { v: 0 })).incremental);
  }));

test('shows no secret, not even in a changed form', () =>
  withDesk(
    {
      ...description,
      check: {
        post: '/me',
        query: { key: '{config.token}', encoded: (scope) => encode(scope.config) },
        body: { token: '{config.token}', size: 3, id: '{id}' },
      },
    },
    async ({ connector, service }) => {
      const [check] = (await explain(connector)).requests;
      assert.is(check?.request, `POST ${service.origin}/me?key=***&encoded=2a2a2a`);
      assert.is(check?.body, '{"token":"***","size":3,"id":"{id}"}');
    },
  ));

test('shows a query that a function makes of an item, and marks what needs an answer', () =>
  withDesk(
    {
      streams: {
        projects: { get: '/link/projects' },
        issues: {
          for: 'projects',
          get: '/search',
          query: {
            q: ({ item, since }) => `project = "${String(Object(item).key)}" since ${since}`,
            size: ({ parents }) => Object(parents['projects']).names.length.toFixed(),
          },
          in: 'issues',
          key: 'id',
        },
      },
    },
    async ({ connector, service }) => {
      const issues = (await explain(connector)).requests.at(-1);
      assert.is(
        issues?.request,
        `GET ${service.origin}/search?q=project+=+"{key}"+since+undefined&size={computed}`,
      );
    },
  ));

function encode(config: unknown): string {
  return Buffer.from(String(Object(config).token)).toString('hex');
}

test.run();
