import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { Answer, HttpDescription, Paging } from '../../src/http/index.js';
import { nameOf } from '../../src/http/entries.js';
import { LoginLimits } from '../../src/http/limits.js';
import { nextPage } from '../../src/http/paging.js';
import { fieldValues } from '../../src/http/records.js';
import { timeOf } from '../../src/http/times.js';
import { changesSince, recordsAt, withDesk } from './open-desk.js';

const test = suite('odd and hostile answers of web services');
const url = 'https://desk.example/v1/tickets?x=1';

function answerOf(body: unknown, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers: new Headers(headers), body, url };
}

for (const [link, next] of [
  ['/v1/tickets?page=2', 'https://desk.example/v1/tickets?page=2'],
  ['?page=2', 'https://desk.example/v1/tickets?page=2'],
  ['http://desk.example/v1/tickets?page=2', 'https://desk.example/v1/tickets?page=2'],
  [null, undefined],
  ['', undefined],
] as const)
  test(`the next page after ${url} is ${next ?? 'none'} for the link ${link}`, () => {
    const page: Paging = { by: 'next', from: 'next' };
    assert.is(nextPage(page, answerOf({ next: link }), [1], null)?.url, next);
  });

for (const [what, page, body] of [
  ['another host', { by: 'next', from: 'next' }, { next: 'https://evil.example/v1' }],
  ['another port', { by: 'next', from: 'next' }, { next: 'http://desk.example:8080/v1' }],
  ['no URL', { by: 'next', from: 'next' }, { next: 'http://[' }],
  ['an object as a link', { by: 'next', from: 'next' }, { next: { href: '/v1' } }],
  ['an object as a token', { by: 'cursor', from: 'next', send: 'query.c' }, { next: { id: 1 } }],
  [
    'no token although there are more',
    { by: 'cursor', from: 'next', send: 'query.c', more: 'more' },
    { more: true },
  ],
  [
    'no statement whether there are more',
    { by: 'cursor', from: 'next', send: 'query.c', more: 'more' },
    { next: 'c2' },
  ],
  ['neither an end nor a token', { by: 'cursor', from: 'next', send: 'query.c', until: 'end' }, {}],
  [
    'no token although it is not the end',
    { by: 'cursor', from: 'next', send: 'query.c', until: 'end' },
    { end: false },
  ],
  [
    'no required token',
    { by: 'cursor', from: 'next', send: 'query.c', required: true },
    { token: 'c2' },
  ],
  ['no required link', { by: 'next', from: 'next', required: true }, { link: '/v1' }],
  ['items but no statement', { by: 'page', send: 'query.p', more: 'more' }, {}],
  ['no total and no statement', { by: 'offset', send: 'query.o', total: 'n', more: 'more' }, {}],
  ['a key but no statement', { by: 'keyset', from: 'id', send: 'query.k', more: 'more' }, {}],
] as const satisfies readonly (readonly [string, Paging, unknown])[])
  test(`an answer with ${what} fails in place of ending the listing`, async () => {
    const error = await rejection(async () => nextPage(page, answerOf(body), [1], null));
    assert.match(error.message, 'desk.example/v1/tickets');
  });

for (const [what, page, body] of [
  ['an empty token', { by: 'cursor', from: 'next', send: 'query.c', required: true }, { next: '' }],
  ['a link of null', { by: 'next', from: 'next', required: true }, { next: null }],
  ['no more pages', { by: 'cursor', from: 'next', send: 'query.c', more: 'more' }, { more: null }],
  [
    'no optional statement',
    { by: 'keyset', from: 'id', send: 'query.k', more: 'next.after', moreOptional: true },
    {},
  ],
  [
    'neither a token nor an optional end',
    { by: 'cursor', from: 'next', send: 'query.c', until: 'end', moreOptional: true },
    {},
  ],
] as const satisfies readonly (readonly [string, Paging, unknown])[])
  test(`an answer with ${what} ends the listing`, () => {
    assert.is(nextPage(page, answerOf(body), [1], null), null);
  });

for (const [kind, page] of [
  ['a later', { by: 'next', from: 'links.next' }],
  ['the first', 'none'],
] as const)
  test(`an accepted error for ${kind} page ${page === 'none' ? 'is an empty list' : 'fails'}`, () =>
    withDesk(
      {
        streams: {
          tickets: { get: '/next/tickets', page, items: 'data', in: 'tickets', key: 'id' },
        },
        errors: [{ when: { status: 404 }, do: 'ok' }],
      },
      async ({ desk, connector, service }) => {
        for (let id = 1; id <= 3; id++) desk.addTicket(id, 1);
        service.addFault({
          matches: ({ path }) => path === '/next/tickets',
          after: page === 'none' ? 0 : 1,
          apply: () => ({ status: 404, json: { error: 'RecordNotFound' } }),
        });
        if (page === 'none') return assert.equal(await recordsAt(connector, 'tickets'), []);
        const error = await rejection(() => recordsAt(connector, 'tickets'));
        assert.is(error.code, 'connector_unhealthy');
        assert.match(error.message, 'a later page of the listing of `tickets` is gone (HTTP 404)');
      },
    ));

test('a link header to another host fails', async () => {
  const headers = { link: '<https://evil.example/>; rel="next"' };
  const error = await rejection(async () => nextPage('link', answerOf([], headers), [1], null));
  assert.match(error.message, 'another host: https://evil.example');
});

for (const count of [null, '', [], {}, 'many', true])
  test(`a number of pages or items of ${JSON.stringify(count)} does not end a listing`, () => {
    const answer = answerOf({ count });
    const pages: Paging = { by: 'page', send: 'query.page', pages: 'count' };
    assert.equal(nextPage(pages, answer, [1], null)?.values, { 'query.page': 2 });
    const offset: Paging = { by: 'offset', send: 'query.o', total: 'count' };
    assert.equal(nextPage(offset, answer, [1], null)?.values, { 'query.o': 1 });
    assert.is(nextPage(offset, answer, [], null), null);
  });

test('reads times with and without an offset, and no time in other texts', () => {
  const noon = Date.UTC(2026, 0, 31, 12);
  for (const text of [
    '2026-01-31T12:00:00Z',
    '2026-01-31T14:00:00+02:00',
    '2026-01-31T14:00:00.000+0200',
    '2026-01-31T12:00:00',
    '2026-01-31 12:00',
    'Sat, 31 Jan 2026 12:00:00 GMT',
    String(noon),
    noon / 1000,
  ])
    assert.is(timeOf(text), noon, String(text));
  assert.is(timeOf('2026-01-31'), Date.UTC(2026, 0, 31));
  for (const value of ['Ticket 5', 'v1 2', '', '2026-13-45', 1e300, -5, Number.NaN, {}, null, '-1'])
    assert.is(timeOf(value), undefined, JSON.stringify(value));
});

for (const [stated, least, most] of [
  ['120', 119_000, 120_000],
  ['0', 1000, 1000],
  ['-5', null, null],
  ['3153600000', 86_000_000, Infinity],
  ['Thu, 01 Jan 1998 00:00:00 GMT', null, null],
  ['soon', null, null],
] as const)
  test(`Retry-After: ${stated}`, async () => {
    const limits = new LoginLimits({}, new URL(url).origin);
    const answer = answerOf(null, { 'retry-after': stated });
    const waitMs = limits.statedWaitMs(answer);
    if (least === null) return assert.is(waitMs, null);
    assert.ok(waitMs !== null && waitMs >= least && waitMs <= most, String(waitMs));
    const { signal } = new AbortController();
    const error = await limits.pause('desk.example', answer, waitMs, signal);
    assert.ok((error.retryAfterMs ?? 0) <= 86_400_000, 'no pause is longer than a day');
  });

test('a field with the name __proto__ stays a field', () => {
  const fields = fieldValues(JSON.parse('{"__proto__": ["a"], "constructor": 1}'));
  assert.equal(Object.keys(fields), ['__proto__', 'constructor']);
  assert.is(Object.getPrototypeOf(fields), Object.prototype);
});

test('names have no control characters', () => {
  assert.is(nameOf('a/b\nc\0d\u007f'), 'a∕b c d');
  assert.is(nameOf('\n'), '_');
});

const nested: HttpDescription['streams'] = {
  tickets: {
    get: '/link/tickets',
    page: 'link',
    in: 'tickets',
    key: 'id',
    record: { text: 'body' },
  },
  comments: {
    for: 'tickets',
    get: '/tickets/{id}/comments',
    items: 'items',
    in: 'tickets',
    key: 'id',
  },
};

test('an item that is nested too deep does not end the listing', () =>
  withDesk({ streams: nested }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 3; id++) desk.addTicket(id, 1);
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    service.addFault({
      matches: ({ path }) => path === '/link/tickets',
      apply: async (_request, normal) => {
        const { headers } = await normal();
        return {
          headers: { ...headers, 'content-type': 'application/json' },
          body: `[{"id": 1, "body": ${deep}}]`,
        };
      },
    });
    const records = await recordsAt(connector, 'tickets');
    assert.equal(
      records.map(({ key }) => key['id']),
      [1, 3],
    );
  }));

/** Two streams of one object. */
const twoStreams: HttpDescription['streams'] = {
  tickets: { get: '/link/tickets', page: 'link', in: 'all', key: 'id', record: { title: 'title' } },
  people: { get: '/next/tickets', items: 'data', in: 'all', key: 'id', record: { title: 'title' } },
};
const forbidden = { when: { status: 403 }, do: 'skip', say: 'It is archived.' } as const;

test('a refused stream of an object with two streams is incomplete', () =>
  withDesk({ streams: twoStreams, errors: [forbidden] }, async ({ desk, connector, service }) => {
    desk.addTicket(1, 1);
    service.addFault({
      matches: ({ path }) => path === '/link/tickets',
      apply: () => ({ status: 403 }),
    });
    const keys: unknown[] = [];
    const error = await rejection(async () => {
      const { signal } = new AbortController();
      for await (const item of connector.records?.('all', { signal }) ?? [])
        if ('key' in item) keys.push(item.key);
    });
    assert.equal(keys, [{ stream: 'people', id: 1 }], 'the other stream is read');
    assert.equal([error.code, error.message], ['listing_incomplete', 'It is archived.']);
  }));

test('a read that continues at a checkpoint is incomplete, too', () =>
  withDesk({ streams: twoStreams, errors: [forbidden] }, async ({ desk, connector, service }) => {
    desk.addTicket(1, 1);
    service.addFault({
      matches: ({ path }) => path === '/link/tickets',
      apply: () => ({ status: 403 }),
    });
    const { signal } = new AbortController();
    let resume: unknown;
    for await (const item of connector.records?.('all', { signal }) ?? []) {
      if (!('checkpoint' in item)) continue;
      resume = structuredClone(item.checkpoint);
      break;
    }
    const error = await rejection(() => recordsAt(connector, 'all', { resume }));
    assert.is(error.code, 'listing_incomplete');
  }));

test('counts an item once although it moves to a later page', () => {
  const counted: Pick<HttpDescription, 'streams' | 'objects'> = {
    objects: { tickets: { path: 'tickets', countEvery: 0 } },
    streams: {
      tickets: {
        get: '/offset/tickets',
        page: { by: 'offset', send: 'query.offset', total: 'total' },
        items: 'data',
        in: 'tickets',
        key: 'id',
        record: { title: 'title' },
        incremental: { by: 'since', send: { query: { since: '{since}' } }, overlap: '1m' },
      },
    },
  };
  return withDesk(counted, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    const { cursor } = await changesSince(connector, undefined);
    service.addFault({
      matches: ({ path, query }) => path === '/offset/tickets' && query.get('offset') === '2',
      times: Infinity,
      apply: async (_request, normal) => {
        const { json } = await normal();
        const { data, total }: { data: unknown[]; total: number } = Object(json);
        return { json: { data: [desk.tickets.get(2), ...data.slice(1)], total } };
      },
    });
    const { changes } = await changesSince(connector, cursor);
    assert.equal(
      changes.flatMap((change) => ('total' in change ? [change.total] : [])),
      [4],
    );
  });
});

const inItem: Pick<HttpDescription, 'streams'> = {
  streams: {
    tickets: {
      get: '/next/tickets',
      page: { by: 'next', from: 'links.next' },
      items: 'data',
      document: { path: '{id}.txt', identity: 'id', modifiedAt: 'updated' },
      read: { inItem: true, text: 'body' },
      incremental: {
        by: 'newest-first',
        time: 'updated',
        send: { query: { sort: 'newest' } },
        overlap: '1m',
      },
    },
  },
};

test('reads the text of the latest listing, not of an earlier one', () =>
  withDesk(inItem, async ({ desk, connector }) => {
    desk.addTicket(1, Date.now());
    const { cursor } = await changesSince(connector, undefined);
    const ticket = desk.tickets.get(1);
    assert.ok(ticket !== undefined);
    desk.tickets.set(1, { ...ticket, body: 'changed', updated: Date.now() + 1000 });
    await changesSince(connector, cursor);
    const { signal } = new AbortController();
    const content = await connector.read?.('1.txt', { signal, identity: '1' });
    assert.is(Buffer.from(Object(content).bytes).toString(), 'changed');
  }));

test('forgets the oldest names of a look-up beyond 16 MiB', () =>
  withDesk(
    {
      lookups: { users: { get: '/users/{id}', value: 'profile' } },
      streams: {
        tickets: {
          get: '/link/tickets',
          page: 'link',
          in: 'tickets',
          key: 'id',
          record: async ({ id }: { id: number }, { lookup }) => {
            for (const user of [`big${id}`, 'big1']) await lookup('users', user);
            return { title: `${id}` };
          },
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
      service.addFault({
        matches: ({ path }) => path.startsWith('/users/'),
        times: Infinity,
        apply: () => ({ json: { profile: 'x'.repeat(6 * 1024 * 1024) } }),
      });
      await recordsAt(connector, 'tickets');
      const requests = service.exchanges.filter(({ request }) => request.path === '/users/big1');
      assert.is(requests.length, 2, 'it was dropped for the third one');
    },
  ));

test.run();
