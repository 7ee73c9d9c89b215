import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import type { FakeAnswer } from '../../src/http/fake/index.js';
import type { HttpDescription, StreamDescription } from '../../src/http/index.js';
import { mergeRequests } from '../../src/http/request.js';
import { changesSince, neverAborted, recordsAt, withDesk, type OpenDesk } from './open-desk.js';

const test = suite('web services with GraphQL');

const query = `query($first: Int!, $after: String) {
  tickets(first: $first, after: $after) { nodes {id title} pageInfo { hasNextPage endCursor } }
}`;

const tickets: StreamDescription = {
  graphql: { query, variables: { first: 2, team: '{config.token}', none: '{config.none}' } },
  page: { by: 'connection', from: 'data.tickets' },
  in: 'tickets',
  key: 'id',
  keysOnly: { graphql: { variables: { first: 100 } } },
  record: { title: 'title', at: 'updated' },
  incremental: {
    by: 'since',
    send: { graphql: { variables: { filter: { updatedAt: { gte: '{since}' } } } } },
    overlap: '10m',
  },
};

type Answers = (body: { readonly query: string; readonly variables: Variables }) => FakeAnswer;
type Variables = Readonly<Record<string, unknown>>;

/** Opens a connector whose queries get the given answers. Returns the bodies of the queries. */
async function withQueries(
  answers: Answers,
  use: (open: OpenDesk & { readonly sent: () => readonly Variables[] }) => Promise<void>,
  description: Partial<HttpDescription> = {},
): Promise<void> {
  await withDesk({ streams: { tickets }, ...description }, async (open) => {
    const { service } = open;
    service.addFault({
      matches: ({ path }) => path.endsWith('/graphql'),
      times: Infinity,
      apply: ({ body }) => answers(Object(body)),
    });
    const sent = (): readonly Variables[] =>
      service.exchanges
        .filter(({ request }) => request.path.endsWith('/graphql'))
        .map(({ request }) => Object(request.body));
    await use({ ...open, sent });
  });
}

function pageOf(ids: readonly number[], pageInfo: unknown): FakeAnswer {
  const nodes = ids.map((id) => ({ id, title: `Ticket ${id}` }));
  return { json: { data: { tickets: { nodes, pageInfo } } } };
}

const lastPage = pageOf([], { hasNextPage: false, endCursor: null });

test('lists a connection page by page', () =>
  withQueries(
    ({ variables: { after } }) =>
      after === undefined
        ? pageOf([1, 2], { hasNextPage: true, endCursor: 'c2' })
        : pageOf([3], { hasNextPage: false, endCursor: 'c3' }),
    async ({ connector, sent }) => {
      const records = await recordsAt(connector, 'tickets');
      assert.equal(
        records.map(({ title }) => title),
        ['Ticket 1', 'Ticket 2', 'Ticket 3'],
      );
      // The query has no placeholders, and a variable without a value is left out.
      assert.equal(sent(), [
        { query, variables: { first: 2, team: 'good' } },
        { query, variables: { first: 2, team: 'good', after: 'c2' } },
      ]);
    },
  ));

test('adds variables for changes and for keys', () =>
  withQueries(
    () => lastPage,
    async ({ connector, sent }) => {
      const { cursor } = await changesSince(connector, undefined);
      await changesSince(connector, cursor);
      await recordsAt(connector, 'tickets', { keysOnly: true });
      const [changed, keys] = sent().map(({ variables }) => Object(variables));
      assert.match(changed.filter.updatedAt.gte, /^\d{4}-\d\d-\d\dT/);
      assert.is(changed.first, 2);
      assert.equal(keys, { first: 100, team: 'good' });
    },
  ));

test('calls functions for variables, and sends queries to the address of the service', () =>
  withQueries(
    () => lastPage,
    async ({ connector, service, sent }) => {
      await recordsAt(connector, 'tickets');
      assert.equal(
        sent().map(({ variables }) => variables),
        [{ first: 2, name: 'acme' }],
      );
      const paths = service.exchanges.map(({ request }) => `${request.method} ${request.path}`);
      assert.equal(paths, ['GET /me', 'POST /api/graphql']);
    },
    {
      graphql: '/api/graphql',
      streams: {
        tickets: {
          ...tickets,
          graphql: { query, variables: { first: 2, name: ({ target }) => target.authority } },
        },
      },
    },
  ));

const refused: readonly (readonly [title: string, answer: FakeAnswer, expected: RegExp])[] = [
  ['a limit with status 400', errorOf(400, 'RATELIMITED'), /^rate_limited true/],
  ['a limit with status 200', errorOf(200, 'RATE_LIMITED'), /^rate_limited true/],
  ['an error of the server', errorOf(200, 'INTERNAL_SERVER_ERROR'), /^connector_unhealthy true/],
  ['an invalid query', errorOf(400, 'GRAPHQL_VALIDATION_FAILED'), /^connector_unhealthy false/],
  [
    'an error beside data',
    errorOf(200, 'BAD_USER_INPUT', { tickets: {} }),
    /^connector_unhealthy false: .*It broke/,
  ],
  ['a list that is null', { json: { data: { tickets: null } } }, /^connector_unhealthy true/],
  ['a page without its end', pageOf([1], {}), /has no `data.tickets.pageInfo.hasNextPage`/],
  ['a next page without a cursor', pageOf([1], { hasNextPage: true }), /more pages, but has no/],
];

function errorOf(status: number, code: string, data: unknown = null): FakeAnswer {
  return { status, json: { data, errors: [{ message: 'It broke', extensions: { code } }] } };
}

for (const [title, answer, expected] of refused)
  test(`fails on ${title}`, () =>
    withQueries(
      () => answer,
      async ({ connector }) => {
        const error = await rejection(() => recordsAt(connector, 'tickets'));
        assert.match(`${error.code} ${error.retryable}: ${error.message}`, expected);
      },
    ));

test('applies rules to the codes of errors before the defaults', () =>
  withQueries(
    () => errorOf(200, 'INTERNAL_SERVER_ERROR'),
    async ({ connector }) => {
      const error = await rejection(() => recordsAt(connector, 'tickets'));
      assert.is(error.message, 'The tickets are closed (It broke)');
      assert.is(error.retryable, false);
    },
    {
      errors: [
        { when: { graphql: 'FORBIDDEN' }, do: 'retry' },
        {
          when: { graphql: ['CLOSED', 'INTERNAL_SERVER_ERROR'] },
          do: 'fail',
          say: 'The tickets are closed ({errors.0.message})',
        },
      ],
    },
  ));

test('requests one record and look-ups with queries', () =>
  withQueries(
    ({ query: sent, variables }) =>
      sent.includes('people')
        ? { json: { data: { people: { nodes: [{ id: 'u1', name: 'Ada' }] } } } }
        : { json: { data: { ticket: { id: variables['id'], author: 'u1' } } } },
    async ({ connector }) => {
      const [record] = await recordsAt(connector, 'tickets', { key: { id: 7 } });
      assert.equal(record, { key: { id: 7 }, fields: {}, author: 'Ada' });
    },
    {
      lookups: {
        people: {
          graphql: { query: '{ people { nodes { id name } } }' },
          items: 'data.people.nodes',
          key: 'id',
          value: 'name',
        },
      },
      streams: {
        tickets: {
          ...tickets,
          one: {
            graphql: {
              query: 'query($id: Int!) { ticket(id: $id) {id} }',
              variables: { id: '{key.id}' },
            },
            item: 'data.ticket',
          },
          record: async ({ author }: { readonly author: string }, { lookup }) => ({
            author: await lookup('people', author),
            fields: {},
          }),
        },
      },
    },
  ));

test('shows the query and its variables without a request', () =>
  withQueries(
    () => lastPage,
    async ({ connector, service }) => {
      const { requests = [] } =
        (await connector.explain?.({ cursor: undefined, signal: neverAborted() })) ?? {};
      const found = requests.find(({ name }) => name === 'tickets');
      assert.is(found?.request, `POST ${service.origin}/graphql`);
      assert.is(
        found?.body,
        'query($first: Int!, $after: String) { tickets(first: $first, after: $after) { nodes {id title} pageInfo { hasNextPage endCursor } } } {"first":2,"team":"***"}',
      );
      assert.is(service.exchanges.length, 0);
    },
  ));

test('merges variables, and a request of another kind replaces a query', () => {
  const list = { graphql: { query: 'a', variables: { filter: { open: true }, first: 10 } } };
  const change = { graphql: { variables: { filter: { since: 'x' } } } };
  assert.equal(mergeRequests(list, change).graphql, {
    query: 'a',
    variables: { filter: { open: true, since: 'x' }, first: 10 },
  });
  assert.is(mergeRequests(list, { get: '/tickets' }).graphql, undefined);
  assert.is(mergeRequests({ get: '/tickets' }, list).get, undefined);
});

test.run();
