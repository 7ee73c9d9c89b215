import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { emptyPageFault, repeatedPageFault } from '../../src/http/fake/index.js';
import { rejection } from '@trove/test-support/rejection.js';
import type { Paging } from '../../src/http/index.js';
import { recordsAt, requestsOf, withDesk, type OpenDesk } from './open-desk.js';

const test = suite('paging of web services');

const kinds: Readonly<Record<string, { readonly page: Paging; readonly items?: string }>> = {
  link: { page: 'link' },
  next: { page: { by: 'next', from: 'links.next' }, items: 'data' },
  cursor: { page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' }, items: 'data' },
  page: { page: { by: 'page', send: 'query.page' }, items: 'data' },
  offset: { page: { by: 'offset', send: 'query.offset', total: 'total' }, items: 'data' },
  keyset: { page: { by: 'keyset', from: 'id', send: 'query.after' }, items: 'data' },
};

function tickets(kind: string): Parameters<typeof withDesk>[0] {
  return {
    streams: {
      tickets: {
        get: `/${kind}/tickets`,
        in: 'tickets',
        key: 'id',
        record: { title: 'title' },
        ...kinds[kind],
      },
    },
  };
}

async function addTickets({ desk }: OpenDesk, count: number): Promise<void> {
  for (let id = 1; id <= count; id++) desk.addTicket(id, id * 1000);
}

for (const kind of Object.keys(kinds)) {
  test(`reads each page once with ${kind} paging`, () =>
    withDesk(tickets(kind), async (open) => {
      await addTickets(open, 5);
      const records = await recordsAt(open.connector, 'tickets');
      assert.equal(
        records.map(({ key }) => key['id']),
        [1, 2, 3, 4, 5],
      );
      const requests = requestsOf(open.service);
      assert.is(new Set(requests).size, requests.length);
    }));

  test(`reads an empty list with ${kind} paging`, () =>
    withDesk(tickets(kind), async ({ connector }) => {
      assert.equal(await recordsAt(connector, 'tickets'), []);
    }));
}

test('continues after an empty page that names a next page', () =>
  withDesk(tickets('cursor'), async (open) => {
    await addTickets(open, 5);
    open.service.addFault(
      emptyPageFault(
        ({ path }) => path === '/cursor/tickets',
        (json) => ({ ...Object(json), data: [] }),
      ),
    );
    const records = await recordsAt(open.connector, 'tickets');
    assert.equal(
      records.map(({ key }) => key['id']),
      [3, 4, 5],
    );
  }));

test('fails when a keyset has more pages, but its first page is empty', () =>
  withDesk(
    {
      streams: {
        tickets: {
          get: '/keyset/tickets',
          page: { by: 'keyset', from: 'id', send: 'query.after', more: 'more' },
          items: 'data',
          in: 'tickets',
          key: 'id',
        },
      },
    },
    async ({ connector, service }) => {
      service.addFault({
        matches: ({ path }) => path === '/keyset/tickets',
        times: Infinity,
        apply: () => ({ json: { data: [], more: true } }),
      });
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.match(error.message, 'repeats a page');
    },
  ));

test('requests a repeated page once more', () =>
  withDesk(tickets('cursor'), async (open) => {
    await addTickets(open, 5);
    open.service.addFault(repeatedPageFault(({ path }) => path === '/cursor/tickets'));
    const records = await recordsAt(open.connector, 'tickets');
    assert.equal(
      records.map(({ key }) => key['id']),
      [1, 2, 3, 4, 5],
    );
  }));

for (const [title, cycle] of [
  ['itself', ['c2']],
  ['earlier pages in turn', ['c2', 'c4', 'c6']],
] as const) {
  test(`fails when a page names ${title} as the next one`, () =>
    withDesk(tickets('cursor'), async ({ connector, service }) => {
      let count = 0;
      service.addFault({
        matches: ({ path }) => path === '/cursor/tickets',
        times: Infinity,
        apply: () => ({ json: { data: [], meta: { next: cycle[count++ % cycle.length] } } }),
      });
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, 'repeats a page');
      assert.ok(count < 20, `${count} requests`);
    }));
}

test('fails at the maximum number of pages', () => {
  const { streams } = tickets('page');
  return withDesk(
    { streams: { tickets: { ...streams['tickets'], maxPages: 2 } } },
    async (open) => {
      await addTickets(open, 5);
      const error = await rejection(() => recordsAt(open.connector, 'tickets'));
      assert.match(error.message, 'more than 2 pages');
    },
  );
});

test('yields an item that appears on two pages once', () =>
  withDesk(tickets('offset'), async (open) => {
    await addTickets(open, 5);
    open.service.addFault({
      matches: ({ path }) => path === '/offset/tickets',
      after: 1,
      apply: async (_request, normal) => {
        const { json } = await normal();
        const { data, total }: { data: unknown[]; total: number } = Object(json);
        return { json: { data: [open.desk.tickets.get(2), ...data.slice(1)], total } };
      },
    });
    const records = await recordsAt(open.connector, 'tickets');
    assert.equal(
      records.map(({ key }) => key['id']),
      [1, 2, 4, 5],
    );
  }));

test.run();
