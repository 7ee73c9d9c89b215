import { startFakeService } from '@trove/connector-kit/http/fake';
import { collect } from '@trove/test-support/collect.js';
import { parse } from 'smol-toml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { neverAborted, openSource } from './open.js';

const test = suite('web APIs with GraphQL, described in TOML');

const description = `
graphql = "/api/graphql"
check = { graphql = { query = "{viewer{name}}" }, say = "Connected as {data.viewer.name}." }

[streams.products]
page = { by = "connection", from = "data.products" }
in = "products"
key = "id"
record = { title = "name", text = "description" }

[streams.products.graphql]
variables = { first = 2 }
query = """
query($first: Int!, $after: String) {
  products(first: $first, after: $after) {
    nodes {id name description}
    pageInfo { hasNextPage endCursor }
  }
}
"""
`;

test('lists a connection, and sends the query as it is', async () => {
  const all = [1, 2, 3].map((id) => ({ id, name: `Rope ${id}`, description: 'Hemp' }));
  await using service = await startFakeService({
    rateLimited: () => ({ status: 429 }),
    unauthorized: () => ({ status: 401 }),
    answer: ({ path, body }) => {
      const { query, variables }: { query?: string; variables?: object } = Object(body);
      if (path !== '/api/graphql') return { status: 404 };
      if (query === '{viewer{name}}') return { json: { data: { viewer: { name: 'Ann' } } } };
      const { after = 0, first } = Object(variables);
      const end = Number(after) + first;
      const pageInfo = { hasNextPage: end < all.length, endCursor: String(end) };
      return { json: { data: { products: { nodes: all.slice(Number(after), end), pageInfo } } } };
    },
  });
  const connector = await openSource({ base: service.origin, ...parse(description) });
  const health = await connector.check?.({ signal: neverAborted() });
  assert.is(health?.detail, 'Connected as Ann.');
  const records = await collect(connector.records?.('products', { signal: neverAborted() }));
  assert.equal(
    records.map(({ title }) => title),
    ['Rope 1', 'Rope 2', 'Rope 3'],
  );
  const sent = service.exchanges.map(({ request }) => Object(request.body));
  assert.match(sent.at(-1)?.query, 'nodes {id name description}');
  await connector.close?.();
});

test.run();
