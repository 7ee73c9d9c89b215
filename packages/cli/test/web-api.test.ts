// test-timeout: 600
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  startFakeService,
  type FakeAnswer,
  type FakeRequest,
  type FakeService,
} from '@trove/connector-kit/http/fake';
import { place } from './support/place.js';

const test = suite('a web API as a source');
const example = new URL('../../../examples/web-api/stock.toml', import.meta.url);

interface Product {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly updated_at: string;
  readonly category: string;
}

/** The stock API of the example, without data sheets. */
function startStock(products: Map<number, Product>): Promise<FakeService> {
  const answer = ({ path, query, headers }: FakeRequest): FakeAnswer => {
    if (headers['authorization'] !== 'Bearer good') return { status: 401, json: {} };
    if (path === '/api/v1/me') return { json: { name: 'Robot' } };
    if (path === '/api/v1/sheets') return { json: { sheets: [] } };
    const id = /^\/api\/v1\/products\/(\d+)$/.exec(path)?.[1];
    if (id !== undefined) return { json: products.get(Number(id)) };
    const since = query.get('updated_since') ?? '';
    const data = [...products.values()].filter(({ updated_at: at }) => at >= since);
    return { json: { data, meta: { next_cursor: null } } };
  };
  return startFakeService({
    answer,
    rateLimited: () => ({ status: 429 }),
    unauthorized: () => ({ status: 401 }),
  });
}

function product(id: number, description: string, updated_at: string): Product {
  const category = id === 1 ? 'ropes' : 'hooks';
  return { id, name: `Product ${id}`, description, updated_at, category };
}

test('adds, searches, greps and syncs an API that a TOML file describes', async () => {
  const products = new Map([
    [1, product(1, 'A hemp rope for sailing boats', '2026-01-01T00:00:00Z')],
    [2, product(2, 'A steel hook for heavy loads', '2026-01-01T00:00:00Z')],
  ]);
  await using stock = await startStock(products);
  await using here = await place({ STOCK_TOKEN: 'good' });
  const { ok, trove, notes } = here;
  const text = (await readFile(example, 'utf8')).replace(
    'https://stock.example.com/api',
    `${stock.origin}/api`,
  );
  await writeFile(join(notes, '..', 'stock.toml'), text);
  await ok('serve', 'start');
  assert.match(await ok('add', 'rest://stock', '--config', 'stock.toml'), '1 added; 2 chunks');

  const hit = JSON.parse((await ok('search', 'hemp for boats', '--json')).split('\n', 1)[0] ?? '');
  assert.is(hit.source, 'rest://stock/products');
  assert.equal(hit.locator, { id: 1 });
  assert.is(hit.metadata.url, 'https://stock.example.com/products/1');
  const filtered = await ok('search', 'loads', '--filter', "category = 'hooks'", '--json');
  assert.match(filtered, 'steel hook');
  assert.match(await ok('grep', 'steel hook', 'rest://stock'), 'steel hook for heavy loads');
  assert.match(await ok('inspect', 'rest://stock', '--json'), '"token": "env:STOCK_TOKEN"');

  products.set(2, product(2, 'A brass hook for light loads', new Date().toISOString()));
  stock.forget();
  assert.match(await ok('add', 'rest://stock'), '1 changed');
  const requests = stock.exchanges.map(
    ({ request: { path, query } }) => `${path}?${String(query)}`,
  );
  // The embedder of a small source is trained again, which reads all records.
  assert.match(requests.join('\n'), '/api/v1/products?limit=100&updated_since=');
  assert.match(await ok('search', 'brass', '-k', '1'), 'A brass hook');
  assert.is((await trove('grep', 'steel hook', 'rest://stock')).code, 1);
});

test('names the wrong key of a description', async () => {
  await using here = await place();
  const { ok, trove, notes } = here;
  const wrong = `base = "https://api.example.com"
check = { get = "/me" }
auth = { bearer = "ghp_secret" }
[streams.items]
get = "/items"
page = { by = "cursr", from = "next" }
`;
  const file = join(notes, '..', 'wrong.toml');
  await writeFile(file, wrong);
  await ok('serve', 'start');
  const add = async (): Promise<string> =>
    (await trove('add', 'rest://w', '--config', file)).stderr;
  assert.match(
    await add(),
    'config.streams.items.page.by: must be one of next, cursor, connection, page',
  );
  await writeFile(file, wrong.replace('{ by = "cursr", from = "next" }', '"link"'));
  const refused = await add();
  assert.match(refused, '`auth.bearer` must be the name of a secret');
  assert.not.match(refused, 'ghp_secret');
});

test.run();
