import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { codeOf, rejection } from '@trove/test-support/rejection.js';
import type { HttpDescription, Scope } from '../../src/http/index.js';
import { recordsAt, requestsOf, withDesk } from './open-desk.js';

const test = suite('answers of web services');

const tickets: HttpDescription['streams'][string] = {
  get: '/cursor/tickets',
  page: { by: 'cursor', from: 'meta.next', send: 'query.cursor' },
  items: 'data',
  in: 'tickets',
  key: 'id',
  errors: [{ when: { status: 409 }, do: 'expired' }],
};
const noop = (): void => undefined;
const isTickets = ({ path }: { path: string }): boolean => path === '/cursor/tickets';

test('starts a listing over when the token of a page has expired', () =>
  withDesk({ streams: { tickets } }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    service.addFault({ matches: isTickets, after: 1, apply: () => ({ status: 409, json: {} }) });
    const records = await recordsAt(connector, 'tickets');
    assert.equal(
      records.map(({ key }) => key['id']),
      [1, 2, 3, 4, 5],
    );
  }));

test('fails when the tokens of pages always expire', () =>
  withDesk({ streams: { tickets } }, async ({ desk, connector, service }) => {
    for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
    service.addFault({
      matches: ({ path, query }) => path === '/cursor/tickets' && query.has('cursor'),
      times: Infinity,
      apply: () => ({ status: 409, json: {} }),
    });
    const error = await rejection(() => recordsAt(connector, 'tickets'));
    assert.match(error.message, 'Page tokens expire too early');
  }));

test('requests a list of names once and shows names in place of ids', () =>
  withDesk(
    {
      lookups: {
        people: {
          get: '/people',
          page: { by: 'cursor', from: 'next', send: 'query.after' },
          items: 'people',
          key: 'id',
          value: 'name',
        },
      },
      streams: {
        tickets: {
          ...tickets,
          record: async (ticket: { author: string }, { lookup }) => ({
            author: await lookup('people', ticket.author),
          }),
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 5; id++) desk.addTicket(id, 1);
      service.addFault({
        matches: ({ path }) => path === '/people',
        times: Infinity,
        apply: ({ query }) =>
          query.has('after')
            ? { json: { people: [{ id: 'u2', name: 'Ben' }] } }
            : { json: { people: [{ id: 'u1', name: 'Ada' }], next: 'p2' } },
      });
      for (let count = 0; count < 2; count++) {
        const records = await recordsAt(connector, 'tickets');
        assert.equal(
          records.map(({ author }) => author),
          ['Ada', 'Ben', 'Ada', 'Ben', 'Ada'],
        );
      }
      const asked = requestsOf(service).filter((request) => request.startsWith('/people'));
      assert.equal(asked, ['/people', '/people?after=p2']);
    },
  ));

for (const [name, answer, problem] of [
  [
    'a page for people',
    { headers: { 'content-type': 'text/html' }, body: '<html>Log in</html>' },
    'text/html in place of JSON',
  ],
  ['a body without a list', { json: { data: 'none' } }, 'is not a list'],
  [
    'more than 32 MiB',
    { headers: { 'content-type': 'application/json' }, body: Buffer.alloc(33 * 1024 * 1024, ' ') },
    'more than 32 MiB',
  ],
] as const) {
  test(`fails for ${name}`, () =>
    withDesk({ streams: { tickets } }, async ({ connector, service }) => {
      service.addFault({ matches: isTickets, apply: () => answer });
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.is(error.code, 'connector_unhealthy');
      assert.match(error.message, problem);
    }));
}

test('requests no next page of another host', () =>
  withDesk(
    {
      streams: {
        tickets: { ...tickets, page: { by: 'next', from: 'next' } },
      },
    },
    async ({ connector, service }) => {
      service.addFault({
        matches: isTickets,
        apply: ({ origin }) => ({
          json: {
            data: [{ id: 1 }],
            next: `${origin.replace('127.0.0.1', 'localhost')}/cursor/tickets?cursor=c2`,
          },
        }),
      });
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.match(error.message, 'names a next page of another host: http://localhost');
      assert.is(requestsOf(service).length, 1);
    },
  ));

test('requests the names of a page together, and unknown ids only once', () =>
  withDesk(
    {
      lookups: {
        people: {
          get: '/people',
          query: { ids: '{ids}' },
          batch: 2,
          items: 'people',
          key: 'id',
          value: 'name',
        },
      },
      streams: {
        tickets: {
          ...tickets,
          items: ({ data }: { data: readonly { id: number }[] }, { lookup }) =>
            Promise.all(
              data.map(async (each) => ({ ...each, who: await lookup('people', each.id) })),
            ),
          record: { author: 'who' },
        },
      },
    },
    async ({ desk, connector, service }) => {
      desk.pageSize = 3;
      for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
      service.addFault({
        matches: ({ path }) => path === '/people',
        times: Infinity,
        apply: ({ query }) => {
          const ids = query.get('ids')?.split(',') ?? [];
          const known = ids.filter((id) => id !== '4');
          return { json: { people: known.map((id) => ({ id: Number(id), name: `P${id}` })) } };
        },
      });
      for (let count = 0; count < 2; count++) {
        const records = await recordsAt(connector, 'tickets');
        assert.equal(
          records.map(({ author }) => author),
          ['P1', 'P2', 'P3', undefined],
        );
      }
      assert.equal(
        requestsOf(service).filter((request) => request.startsWith('/people')),
        ['/people?ids=1,2', '/people?ids=3', '/people?ids=4'],
      );
    },
  ));

test('looks up ids in the list that is given with them', () =>
  withDesk(
    {
      lookups: {
        people: {
          get: '/teams/{given.team}/people',
          query: { ids: '{ids}' },
          batch: 10,
          items: 'people',
          key: 'id',
          value: 'name',
        },
      },
      streams: {
        tickets: {
          ...tickets,
          items: ({ data }: { data: readonly { id: number }[] }, { lookup }) =>
            Promise.all(
              data.map(async (each) => ({
                ...each,
                who: await lookup('people', 7, { team: each.id < 3 ? 'sea' : 'land' }),
              })),
            ),
          record: { author: 'who' },
        },
      },
    },
    async ({ desk, connector, service }) => {
      desk.pageSize = 3;
      for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
      service.addFault({
        matches: ({ path }) => path.startsWith('/teams/'),
        times: Infinity,
        apply: ({ path }) => ({ json: { people: [{ id: 7, name: path.split('/')[2] }] } }),
      });
      const records = await recordsAt(connector, 'tickets');
      assert.equal(
        records.map(({ author }) => author),
        ['sea', 'sea', 'land', 'land'],
      );
      assert.equal(
        requestsOf(service).filter((request) => request.startsWith('/teams')),
        ['/teams/sea/people?ids=7', '/teams/land/people?ids=7'],
      );
    },
  ));

test('posts the ids of a batch as a list', () =>
  withDesk(
    {
      lookups: {
        people: {
          post: '/people',
          body: { ids: '{ids}' },
          batch: 10,
          items: '.',
          key: 'id',
          value: 'name',
        },
      },
      streams: {
        tickets: {
          ...tickets,
          record: async (ticket: { id: number }, { lookup }) => ({
            author: await lookup('people', ticket.id),
          }),
        },
      },
    },
    async ({ desk, connector, service }) => {
      desk.addTicket(1, 1);
      service.addFault({
        matches: ({ path }) => path === '/people',
        apply: ({ body }) => ({
          json: Object(body).ids.map((id: string) => ({ id, name: `P${id}` })),
        }),
      });
      const [record] = await recordsAt(connector, 'tickets');
      assert.is(record?.author, 'P1');
    },
  ));

test('requests a fresh look-up again in each call', () =>
  withDesk(
    {
      lookups: { gone: { get: '/gone', items: 'ids', key: '.', value: () => true, fresh: true } },
      streams: {
        tickets: {
          ...tickets,
          where: async ({ id }: { id: number }, { lookup }) => (await lookup('gone', id)) !== true,
        },
      },
    },
    async ({ desk, connector, service }) => {
      for (let id = 1; id <= 4; id++) desk.addTicket(id, 1);
      const gone = [1];
      service.addFault({
        matches: ({ path }) => path === '/gone',
        times: Infinity,
        apply: () => ({ json: { ids: gone } }),
      });
      const ids = async (): Promise<unknown[]> =>
        (await recordsAt(connector, 'tickets')).map(({ key }) => key['id']);
      assert.equal(await ids(), [2, 3, 4]);
      gone.push(3);
      assert.equal(await ids(), [2, 4]);
      assert.is(requestsOf(service).filter((request) => request === '/gone').length, 2);
    },
  ));

for (const [kind, people] of [
  ['request', { get: '/people/{id}', value: 'name' }],
  ['list', { get: '/people', items: 'people', value: 'name' }],
  ['batch', { get: '/people', query: { ids: '{ids}' }, items: 'people', value: 'name', batch: 9 }],
] as const)
  test(`repeats the ${kind} of a look-up that another call has aborted`, () => {
    let calls = 0;
    const record = async (_ticket: unknown, { lookup }: Scope) => {
      const author = lookup('people', 'u1');
      calls++;
      return { author: await author };
    };
    return withDesk(
      { lookups: { people }, streams: { tickets: { ...tickets, record } } },
      async ({ desk, connector, service }) => {
        desk.addTicket(1, 1);
        let [start, release] = [noop, noop];
        const started = new Promise<void>((resolve) => (start = () => resolve()));
        const released = new Promise<void>((resolve) => (release = () => resolve()));
        let requests = 0;
        service.addFault({
          matches: ({ path }) => path.startsWith('/people'),
          times: Infinity,
          apply: async () => {
            start();
            if (requests++ === 0) await released;
            return { json: { name: 'Ada', people: [{ id: 'u1', name: 'Ada' }] } };
          },
        });
        const first = new AbortController();
        const aborted = codeOf(recordsAt(connector, 'tickets', { signal: first.signal }));
        await started;
        const second = recordsAt(connector, 'tickets');
        while (calls < 2) await new Promise(setImmediate);
        await new Promise(setImmediate);
        first.abort();
        assert.is.not(await aborted, null);
        release();
        assert.equal(
          (await second).map(({ author }) => author),
          ['Ada'],
        );
      },
    );
  });

test.run();
