import type { Change, Connector } from '@trove/core';
import { configFor, connectorContext } from '@trove/testkit';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import { rejection } from '@trove/test-support/rejection.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startHttpFake, type HttpFake, type HttpFakeOptions } from '../../src/http/fake/index.js';
import type { HttpDescription, Paging, StreamDescription } from '../../src/http/index.js';
import { all, changesSince, deskPlugin, neverAborted, recordsAt } from './open-desk.js';

const test = suite('fakes of described web services');
const hourMs = 3_600_000;

type DeskDescription = Parameters<typeof deskPlugin>[0];

/** Starts the fake of a description and opens a connector on it. */
async function withFake(
  description: DeskDescription,
  use: (fake: HttpFake, connector: Connector) => Promise<void>,
  options: Partial<HttpFakeOptions> = {},
): Promise<void> {
  const plugin = deskPlugin(description);
  const config = (url: string): object => ({ url, token: 'good' });
  await using fake = await startHttpFake(plugin, { config, ...options });
  const connector = await plugin.create(
    connectorContext({
      target: fake.target,
      http: fake.http ?? connectorHttp(),
      config: configFor(plugin, fake.config),
    }),
  );
  try {
    await use(fake, connector);
  } finally {
    await connector.close?.();
  }
}

function ticketsBy(own: Partial<StreamDescription>): DeskDescription {
  const record = { title: 'title', at: 'updated' };
  return { streams: { tickets: { get: '/tickets', in: 'tickets', key: 'id', record, ...own } } };
}

function putTickets(fake: HttpFake, count: number, ageMs = hourMs): void {
  for (let id = 1; id <= count; id++)
    fake.put('tickets', { id, title: `Ticket ${id}`, updated: Date.now() - ageMs + id });
}

async function idsAt(connector: Connector): Promise<unknown[]> {
  return (await recordsAt(connector, 'tickets')).map(({ key }) => key['id']);
}

/** Returns the ids of changed and removed records. */
function factsOf(changes: readonly Change[]): string[] {
  return changes.flatMap((change) =>
    'records' in change
      ? [
          ...change.records.map(({ key }) => `+${key['id']}`),
          ...change.removedKeys.map((key) => `-${key['id']}`),
        ]
      : [],
  );
}

const pagings: Readonly<Record<string, Paging>> = {
  link: 'link',
  next: { by: 'next', from: 'meta.next' },
  'cursor in the query': { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
  'cursor with an end': { by: 'cursor', from: 'after', send: 'query.after', until: 'end' },
  'cursor with a flag': {
    by: 'cursor',
    from: 'header.x-next',
    send: 'header.x-cursor',
    more: 'more',
  },
  page: { by: 'page', send: 'query.page' },
  'page with a count': { by: 'page', send: 'query.page', first: 0, pages: 'meta.pages' },
  offset: { by: 'offset', send: 'query.offset', total: 'meta.total' },
  'offset with a flag': { by: 'offset', send: 'query.offset', more: 'more' },
  keyset: { by: 'keyset', from: 'id', send: 'query.after' },
};

for (const [kind, page] of Object.entries(pagings))
  test(`pages by ${kind}`, () =>
    withFake(ticketsBy({ page, items: 'data.list' }), async (fake, connector) => {
      putTickets(fake, 5);
      assert.equal(await idsAt(connector), [1, 2, 3, 4, 5]);
      const lists = fake.exchanges.filter(({ request }) => request.path === '/tickets');
      assert.ok(lists.length === 3 || lists.length === 4, String(lists.length));
      const sizes = lists.map(({ json }) => Object(json).data.list.length);
      assert.equal(sizes.slice(0, 3), [2, 2, 1]);
    }));

test('pages a list in a body of JSON and in a form', async () => {
  const paged = { by: 'cursor', from: 'next' } as const;
  const bodies: Partial<StreamDescription>[] = [
    { body: { filter: { state: 'all' } }, page: { ...paged, send: 'body.variables.after' } },
    { form: { state: 'all' }, page: { ...paged, send: 'form.after' } },
  ];
  for (const own of bodies) {
    const { get: _, ...stream } = { ...ticketsBy({}).streams['tickets'], ...own };
    const streams = { tickets: { ...stream, post: '/search', items: 'data' } };
    await withFake({ streams }, async (fake, connector) => {
      putTickets(fake, 3);
      assert.equal(await idsAt(connector), [1, 2, 3]);
      assert.is(fake.exchanges.filter(({ request }) => request.method === 'POST').length, 2);
    });
  }
});

test('answers queries of GraphQL: lists, changes, keys and one item', async () => {
  const since = { updatedAt: { gte: '{since}' } };
  const streams = {
    tickets: {
      graphql: { query: '{ tickets }', variables: { first: 2 } },
      page: { by: 'connection', from: 'data.tickets' },
      in: 'tickets',
      key: 'id',
      record: { title: 'title', at: 'updated' },
      keysOnly: { graphql: { query: '{ keys }' } },
      one: { graphql: { query: '{ ticket }', variables: { id: '{key.id}' } }, item: 'data.ticket' },
      incremental: {
        by: 'since',
        send: { graphql: { variables: { filter: since } } },
        overlap: '10m',
      },
    },
  } as const;
  await withFake({ streams }, async (fake, connector) => {
    putTickets(fake, 5, 72 * hourMs);
    assert.equal(await idsAt(connector), [1, 2, 3, 4, 5]);
    assert.is((await recordsAt(connector, 'tickets', { key: { id: 4 } })).length, 1);
    assert.is((await recordsAt(connector, 'tickets', { key: { id: 9 } })).length, 0);
    const { cursor } = await changesSince(connector, undefined);
    fake.edit('tickets', 2, { title: 'changed' });
    assert.equal(factsOf((await changesSince(connector, cursor)).changes), ['+2']);
    fake.fail('tickets', 'truncated');
    assert.match((await rejection(() => idsAt(connector))).message, 'cut off');
  });
});

test('filters by time in each format and shows deleted items there only', async () => {
  for (const format of ['iso', 'seconds', 'milliseconds', 'date'] as const) {
    const send = { query: { where: 'updated > "{since}"' } };
    const incremental = { by: 'since', send, format, overlap: '10m' } as const;
    const tickets = ticketsBy({ incremental, isGone: 'deleted', page: 'link' });
    await withFake(tickets, async (fake, connector) => {
      putTickets(fake, 4, 72 * hourMs);
      const { cursor } = await changesSince(connector, undefined);
      fake.edit('tickets', 2, { title: 'changed' });
      fake.delete('tickets', 3);
      const { changes } = await changesSince(connector, cursor);
      assert.equal(factsOf(changes), ['+2', '-3'], format);
      assert.equal(await idsAt(connector), [1, 2, 4]);
    });
  }
});

test('lists the newest items first, and deleted ones elsewhere', () => {
  const incremental = { by: 'newest-first', time: 'updated', overlap: '10m' } as const;
  const gone = { get: '/trash', items: 'ids', key: { id: 'ticket' }, time: 'deleted' };
  return withFake(ticketsBy({ incremental, gone, page: 'link' }), async (fake, connector) => {
    putTickets(fake, 9);
    const { cursor } = await changesSince(connector, undefined);
    fake.edit('tickets', 2, { title: 'changed' });
    fake.delete('tickets', 3);
    fake.forget();
    const { changes } = await changesSince(connector, cursor);
    assert.equal(factsOf(changes), ['+2', '-3']);
    const lists = fake.exchanges.filter(({ request }) => request.path === '/tickets');
    assert.is(lists.length, 1, 'stops at the first older ticket');
    const [deleted, ...others] = Object(fake.exchanges.at(-1)?.json).ids;
    assert.is(deleted.ticket, 3);
    assert.ok(Math.abs(Date.now() - Date.parse(deleted.deleted)) < 60_000);
    assert.equal(others, []);
  });
});

test('continues an export after its last token, and refuses an expired one', () => {
  const tickets = ticketsBy({
    page: { by: 'cursor', from: 'after', send: 'query.cursor', until: 'end' },
    items: 'tickets',
    isGone: 'deleted',
    incremental: { by: 'export', send: { query: { start: '{since}' } }, overlap: '1m' },
    errors: [{ when: { status: 422 }, do: 'expired' }],
  });
  return withFake(tickets, async (fake, connector) => {
    putTickets(fake, 3);
    const { cursor } = await changesSince(connector, undefined);
    const second = await changesSince(connector, cursor);
    fake.put('tickets', { id: 4, title: 'new', updated: Date.now() });
    fake.delete('tickets', 1);
    const third = await changesSince(connector, second.cursor);
    assert.equal(factsOf(third.changes), ['+4', '-1']);
    fake.expireCursors();
    fake.forget();
    await changesSince(connector, third.cursor);
    assert.ok(fake.exchanges.some(({ status }) => status === 422));
  });
});

test('answers too many requests in the form of the description', () => {
  const service: Partial<HttpDescription> = {
    limits: { waitFrom: ['body.error.retry_in'] },
    errors: [{ when: { status: 200, body: { 'error.code': ['slow', 'busy'] } }, do: 'wait' }],
  };
  return withFake({ ...ticketsBy({}), ...service }, async (fake, connector) => {
    putTickets(fake, 1);
    fake.limit({ requests: 1, perMs: 30_000 });
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.is(error.code, 'rate_limited');
    const { retryAfterMs = 0 } = error;
    assert.ok(retryAfterMs > 10_000 && retryAfterMs <= 30_000, String(retryAfterMs));
    const { status, json } = fake.exchanges.at(-1) ?? {};
    assert.is(status, 200);
    assert.is(Object(json).error.code, 'slow');
  });
});

test('refuses a wrong login in the form of the description', async () => {
  const service: DeskDescription = {
    ...ticketsBy({}),
    auth: { basic: { user: 'robot', password: '{secret.token}' } },
    errors: [{ when: { body: { ok: false, error: 'bad_token' } }, do: 'login' }],
  };
  await withFake(service, async (fake, connector) => {
    putTickets(fake, 1);
    assert.equal(await idsAt(connector), [1]);
    fake.replaceSecret('token', 'another');
    const health = await connector.check?.({ signal: neverAborted() });
    assert.match(health?.detail ?? '', 'refused the login (HTTP 200): bad_token');
  });
});

test('issues access tokens and rotates refresh tokens', () => {
  const oauth2 = {
    grant: 'refresh',
    refreshToken: 'token',
    tokenUrl: '{config.url}/oauth/token',
    client: { id: 'trove' },
  } as const;
  return withFake({ ...ticketsBy({}), auth: { oauth2 } }, async (fake, connector) => {
    putTickets(fake, 1);
    assert.equal(await idsAt(connector), [1]);
    fake.expireAccess();
    assert.equal(await idsAt(connector), [1]);
    const sent = fake.exchanges.flatMap(({ request: { path, body } }) =>
      path === '/oauth/token' ? [Object(body).refresh_token] : [],
    );
    assert.equal(sent, ['good', 'good-1']);
  });
});

test('adds each fault to the listings of a stream', async () => {
  const page: Paging = { by: 'cursor', from: 'next', send: 'query.cursor' };
  const description = ticketsBy({
    page,
    items: 'data',
    errors: [{ when: { body: { error: 'invalid_cursor' } }, do: 'expired' }],
  });
  const outcomes: Readonly<Record<Parameters<HttpFake['fail']>[1], RegExp | null>> = {
    'rate-limit': null,
    'revoked-login': /refused the login/,
    'expired-page': null,
    // The client of the engine repeats the request.
    'server-error': null,
    truncated: /cut off/,
    'repeated-page': null,
    'empty-page': null,
  };
  for (const kind of Object.keys(outcomes) as (keyof typeof outcomes)[])
    await withFake(description, async (fake, connector) => {
      putTickets(fake, 6);
      fake.fail('tickets', kind);
      const expected = outcomes[kind];
      const read = (): Promise<unknown[]> => idsAt(connector);
      if (expected !== null) {
        const failed = await read().catch((error: unknown) => error);
        assert.match(String(failed), expected, kind);
        return;
      }
      const ids = await read();
      assert.equal(ids, kind === 'empty-page' ? [3, 4, 5, 6] : [1, 2, 3, 4, 5, 6], kind);
      const lists = fake.exchanges.filter(({ request }) => request.path === '/tickets');
      assert.is(lists.length > 3, kind !== 'empty-page', kind);
    });
});

test('answers the requests for the children of each item and changes their parents', () => {
  const description: DeskDescription = {
    streams: {
      projects: { get: '/projects', items: 'data', keep: ['slug', 'moved_at', 'count'] },
      tickets: {
        for: 'projects',
        when: 'count',
        moved: 'moved_at',
        get: '/projects/{slug}/tickets',
        items: 'data',
        in: 'project',
        key: 'id',
        record: { title: 'title', at: 'updated' },
      },
    },
    objects: { project: { for: 'projects', path: '{slug}', identity: 'slug' } },
  };
  return withFake(description, async (fake, connector) => {
    for (const slug of ['one', 'two/#', 'empty']) fake.put('projects', { slug });
    const updated = '2026-01-02T03:04:05.000Z';
    fake.put('tickets', { id: 1, title: 'in one', updated }, { projects: 'one' });
    fake.put('tickets', { id: 1, title: 'in two', updated }, { projects: 'two/#' });
    assert.equal(
      (await recordsAt(connector, 'one')).map(({ title }) => title),
      ['in one'],
    );
    assert.equal(
      (await recordsAt(connector, 'two∕#')).map(({ title }) => title),
      ['in two'],
    );
    await all(connector.list({ signal: neverAborted() }));
    const { json } = fake.exchanges.findLast(({ request }) => request.path === '/projects') ?? {};
    assert.equal(Object(json).data[0], { slug: 'one', moved_at: updated, count: 1 });
    assert.throws(() => fake.put('tickets', { id: 2 }), 'belongs to one of `projects`');
    assert.throws(() => fake.put('tickets', { title: 'x' }, { projects: 'one' }), 'has no `id`');
    assert.throws(() => fake.put('notes', { id: 2 }), 'no stream `notes`');
  });
});

test('takes answers that it cannot derive from its options', async () => {
  const pages: DeskDescription = ticketsBy({
    items: (body) => Object(body).pages.flat(),
    page: ({ body }) =>
      Object(body).rest ? { values: { 'query.start': Object(body).pages.flat().length } } : null,
  });
  await withFake(pages, async (fake, connector) => {
    putTickets(fake, 1);
    const { message } = await rejection(() => recordsAt(connector, 'tickets'));
    assert.match(message, 'cannot derive the paging of `tickets`');
  });
  const options: Partial<HttpFakeOptions> = {
    answers: {
      tickets: ({ query }, items) => {
        const start = Number(query.get('start') ?? 0);
        const rest = items.length > start + 2;
        return { json: { pages: [items.slice(start, start + 2)], rest } };
      },
    },
    handle: ({ path }) => (path === '/me' ? { json: { name: 'Handled' } } : undefined),
  };
  await withFake(
    pages,
    async (fake, connector) => {
      putTickets(fake, 4);
      assert.equal(await idsAt(connector), [1, 2, 3, 4]);
      const health = await connector.check?.({ signal: neverAborted() });
      assert.is(health?.detail, 'Connected as Handled.');
    },
    options,
  );
});

test('takes the place of a service with a fixed address', () =>
  withFake(
    { ...ticketsBy({ page: 'link' }), base: 'https://desk.example/api' },
    async (fake, connector) => {
      putTickets(fake, 3);
      assert.equal(await idsAt(connector), [1, 2, 3]);
      const { headers, request } =
        fake.exchanges.find(({ headers: { link = '' } }) => link !== '') ?? {};
      assert.is(request?.path, '/api/tickets');
      assert.match(headers?.['link'] ?? '', '<https://desk.example/api/tickets?');
    },
  ));

test('answers look-ups, one by one, in batches and as a list', async () => {
  const record = {
    title: 'title',
    author: (
      { user }: { user: string },
      { lookup }: Parameters<Extract<StreamDescription['where'], (...args: never) => unknown>>[1],
    ) => lookup('users', user, { team: 'sea' }),
  };
  const lookups = [
    { get: '/users/{id}', value: 'profile.name' },
    { get: '/teams/{given.team}/users/{id}', value: 'profile.name' },
    { get: '/users', items: 'data', key: 'key', value: 'profile.name', page: 'link' },
    {
      get: '/users',
      query: { ids: '{ids}' },
      batch: 2,
      items: 'data',
      key: 'key',
      value: 'profile.name',
    },
  ] as const;
  for (const users of lookups)
    await withFake({ ...ticketsBy({ record }), lookups: { users } }, async (fake, connector) => {
      for (const id of ['u1', 'u2', 'u3']) fake.setName('users', id, `Name of ${id}`);
      fake.put('tickets', { id: 1, user: 'u3' });
      const [ticket] = await recordsAt(connector, 'tickets');
      assert.is(ticket?.author, 'Name of u3');
    });
});

test.run();
