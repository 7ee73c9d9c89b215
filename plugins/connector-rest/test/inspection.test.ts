import { isTroveError } from '@trove/core';
import { connectorHttp } from '@trove/test-support/connector-http.js';
import {
  startFakeService,
  type FakeAnswer,
  type FakeRequest,
} from '@trove/connector-kit/http/fake';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  confirmPaging,
  findIncremental,
  inspectList,
  listsOf,
  type Inspection,
} from '../src/inspection/inspect.js';
import { requestSample, type SampleOptions } from '../src/inspection/sample.js';
import { neverAborted } from './open.js';

const test = suite('inspection of web APIs');

const options: SampleOptions = { http: connectorHttp(), signal: neverAborted() };

/** What the inspection of the first list at an address proposes. */
interface Proposal extends Pick<Inspection, 'mapping'> {
  readonly list: string;
  readonly page: unknown;
  readonly incremental: unknown;
  readonly requests: readonly string[];
}

async function withApi<T>(
  answer: (request: FakeRequest) => FakeAnswer,
  use: (origin: string, requests: () => readonly string[]) => Promise<T>,
): Promise<T> {
  await using service = await startFakeService({
    answer,
    rateLimited: () => ({ status: 429 }),
    unauthorized: () => ({ status: 401 }),
  });
  return await use(service.origin, () =>
    service.exchanges.map(({ request: { path, query } }) => `${path}?${query.toString()}`),
  );
}

function propose(path: string, answer: (request: FakeRequest) => FakeAnswer): Promise<Proposal> {
  return withApi(answer, async (origin, requests) => {
    const sample = await requestSample(new URL(path, origin), options);
    assert.ok(sample);
    const [list] = listsOf(sample);
    assert.ok(list);
    const found = inspectList(sample, list);
    const { page } = await confirmPaging(found, options);
    const incremental = await findIncremental(sample, found, found.mapping.at[0], options);
    return { list: list.path, mapping: found.mapping, page, incremental, requests: requests() };
  });
}

/** Returns the code and message of an address that cannot be a source. */
function problemOf(answer: FakeAnswer, path = '/items'): Promise<string> {
  return withApi(
    () => answer,
    async (origin) => {
      try {
        const sample = await requestSample(new URL(path, origin), options);
        assert.ok(sample);
        listsOf(sample);
      } catch (error) {
        if (isTroveError(error)) return [error.code, error.detail, ...error.suggestions].join(' ');
        throw error;
      }
      throw new Error('the answer was accepted');
    },
  );
}

const issue = (number: number): object => ({
  id: 1000 + number,
  node_id: `I_${number}`,
  number,
  url: `https://api.github.com/repos/o/r/issues/${number}`,
  html_url: `https://github.com/o/r/issues/${number}`,
  title: `Crash ${number}`,
  body: 'It crashes on startup, always.\nSince May.',
  user: { login: 'ann', id: 7, html_url: 'https://github.com/ann' },
  labels: [{ id: 1, name: 'bug' }],
  state: 'open',
  comments: number,
  created_at: `2026-01-0${number}T00:00:00Z`,
  updated_at: `2026-02-0${9 - number}T00:00:00Z`,
});
const item = (id: number): object => ({ id, name: `Item ${id}`, price: id * 10 });
const pageOf = (page: number, size: number, total: number): readonly object[] =>
  Array.from({ length: Math.max(0, Math.min(size, total - (page - 1) * size)) }, (_, at) =>
    item((page - 1) * size + at + 1),
  );

test('proposes issues with a Link header as GitHub sends them', async () => {
  const { list, mapping, page, incremental, requests } = await propose(
    '/repos/o/r/issues?per_page=3',
    ({ origin, path, query }) => {
      const next = `<${origin}${path}?per_page=3&page=2>; rel="next", <${origin}/x>; rel="last"`;
      return { json: query.has('since') ? [] : [1, 2, 3].map(issue), headers: { link: next } };
    },
  );
  assert.is(list, '.');
  assert.is(page, 'link');
  const { key, title, text, at, author, url, fields } = mapping;
  assert.equal(
    [key, title, text, at, author, url].map(([first]) => first),
    ['id', 'title', 'body', 'updated_at', 'user.login', 'html_url'],
  );
  assert.equal(fields, ['number', 'labels[].name', 'state', 'comments']);
  assert.equal(incremental, {
    by: 'since',
    send: { query: { since: '{since}' } },
    overlap: '10m',
  });
  assert.is(requests.length, 2);
});

test('proposes the address of the next page in the answer', async () => {
  const { list, page, mapping } = await propose('/items', () => ({
    json: { items: [1, 2].map(item), next: '/items?page=2', previous: null },
  }));
  assert.is(list, 'items');
  assert.equal(page, { by: 'next', from: 'next' });
  assert.equal([mapping.key[0], mapping.title[0], mapping.text], ['id', 'name', []]);
});

test('proposes a cursor and finds the parameter that takes it', async () => {
  const { list, page } = await propose('/v2/things', ({ query }) => ({
    json:
      query.get('after') === 'c2'
        ? { data: [3, 4].map(item), meta: { next_cursor: null, has_more: false } }
        : { data: [1, 2].map(item), meta: { next_cursor: 'c2', has_more: true } },
  }));
  assert.is(list, 'data');
  assert.equal(page, {
    by: 'cursor',
    from: 'meta.next_cursor',
    send: 'query.after',
    more: 'meta.has_more',
  });
});

test('proposes numbered pages of a plain list after a second page has others', async () => {
  const answer = ({ query }: FakeRequest): FakeAnswer => ({
    json: pageOf(Number(query.get('page') ?? 1), 20, 50),
  });
  const { list, page } = await propose('/items', answer);
  assert.is(list, '.');
  assert.equal(page, { by: 'page', send: 'query.page' });
});

test('proposes skipped items if the API ignores page numbers', async () => {
  const { page } = await propose('/items?limit=10', ({ query }) => {
    const skip = Number(query.get('offset') ?? 0);
    return { json: { total: 25, items: pageOf(1, 25, 25).slice(skip, skip + 10) } };
  });
  assert.equal(page, { by: 'offset', send: 'query.offset', total: 'total' });
});

test('proposes no paging for a list that ignores all parameters', async () => {
  const { page } = await propose('/items', () => ({ json: pageOf(1, 20, 20) }));
  assert.is(page, 'none');
});

test('finds a nested list and its count of pages', async () => {
  const { list, page } = await propose('/search?p=1', ({ query }) => ({
    json: {
      result: {
        records: pageOf(Number(query.get('p')), 5, 12),
        total_pages: 3,
        facets: [{ name: 'a' }],
      },
    },
  }));
  assert.is(list, 'result.records');
  assert.equal(page, { by: 'page', send: 'query.p', pages: 'result.total_pages' });
});

test('proposes to stop at older items of a list in the order of their changes', async () => {
  const { incremental } = await propose('/issues', () => ({ json: [1, 2, 3].map(issue) }));
  assert.equal(incremental, { by: 'newest-first', time: 'updated_at', overlap: '10m' });
});

test('proposes no fields for an empty list', async () => {
  const { list, mapping, page, incremental } = await propose('/items', () => ({
    json: { items: [], total: 0 },
  }));
  assert.is(list, 'items');
  assert.equal([mapping.key, mapping.title, mapping.fields], [[], [], []]);
  assert.is(page, 'none');
  assert.is(incremental, null);
});

test('lists the likely list before others', () =>
  withApi(
    () => ({ json: { users: [{ id: 1 }, { id: 2 }], data: [{ id: 3 }], tags: ['a'] } }),
    async (origin) => {
      const sample = await requestSample(new URL('/x', origin), options);
      assert.ok(sample);
      assert.equal(
        listsOf(sample).map(({ path }) => path),
        ['data', 'users'],
      );
    },
  ));

test('reports a page for people with a remedy', async () => {
  const page = { body: '<html>Log in</html>', headers: { 'content-type': 'text/html' } };
  assert.match(await problemOf(page), /returned text\/html in place of JSON .*login page/);
});

test('reports a single object as such', async () => {
  assert.match(await problemOf({ json: { id: 1, name: 'one' } }), 'connector_unhealthy 127.0.0.1');
  assert.match(await problemOf({ json: { id: 1 } }), 'returned no list of objects A single object');
});

test('reports errors of the API with their message and a remedy', async () => {
  const missing = { status: 404, json: { message: 'No such list' } };
  assert.match(await problemOf(missing), /HTTP 404: .*No such list.* Check the address\./);
  assert.match(await problemOf({ status: 403, json: {} }), 'HTTP 403');
  assert.match(await problemOf({ status: 400, body: '<b>no</b>' }), /HTTP 400 Check the param/);
});

test('returns nothing if the API demands a login, and sends the given one', () =>
  withApi(
    ({ headers }) =>
      headers['x-api-key'] === 'good' ? { json: [{ id: 1 }] } : { status: 401, json: {} },
    async (origin) => {
      const url = new URL('/items', origin);
      assert.is(await requestSample(url, options), null);
      const login = { headers: { 'x-api-key': 'good' } };
      assert.equal((await requestSample(url, { ...options, login }))?.body, [{ id: 1 }]);
    },
  ));

test.run();
