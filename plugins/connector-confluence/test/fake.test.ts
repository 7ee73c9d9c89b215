import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  emptyPageFault,
  type Fault,
  rateLimitFault,
  repeatedPageFault,
  revokedTokenFault,
  serverErrorFault,
  truncatedFault,
} from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeConfluence, type FakeConfluence } from './fake.js';

const test = suite('the fake Confluence');
const authorization = `Basic ${Buffer.from('ann@acme.example:token-1').toString('base64')}`;
const api = '/wiki/api/v2';
const isPages: Fault['matches'] = ({ path }) => path === `${api}/pages`;

async function get(
  { service }: FakeConfluence,
  path: string,
  headers: Readonly<Record<string, string>> = { authorization },
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetch(new URL(path, service.origin), { headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Follows the links and returns the titles of each page. */
async function pages(fake: FakeConfluence, query: string): Promise<string[][]> {
  const found: string[][] = [];
  for (let next: string | undefined = `${api}/pages?${query}`; next !== undefined;) {
    const { status, text } = await get(fake, next);
    if (status !== 200) throw new Error(`${status} ${text}`);
    const body: {
      readonly results: readonly { readonly title: string }[];
      readonly _links: { readonly next?: string };
    } = JSON.parse(text);
    found.push(body.results.map(({ title }) => title));
    next = body['_links'].next;
  }
  return found;
}

function fill({ world }: FakeConfluence, count: number): number[] {
  return Array.from({ length: count }, (_, index) => {
    world.advance(60_000);
    return world.create(`Page ${index + 1}`, '<p>Text</p>').id;
  });
}

function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: unknown) => String(error),
  );
}

testUnless(missingSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeConfluence();
  const { world, service, model } = fake;
  const page = world.create('Home', '<p>Text</p>').id;
  world.create('Child', '<p>More</p>', { parent: page });
  world.comment(page, '<p>Nice</p>');
  world.comment(page, '<p>Typo</p>', 'inline');
  world.attach(page, 'a b.txt', 'text');
  for (const path of [
    `${api}/spaces?limit=1`,
    `${api}/pages?limit=1&body-format=storage`,
    `${api}/pages/${page}?body-format=storage`,
    `${api}/footer-comments`,
    `${api}/inline-comments?body-format=storage`,
    `${api}/attachments`,
    `${api}/blogposts`,
    '/wiki/rest/api/user/current',
  ])
    assert.is((await get(fake, path)).status, 200, path);
  await get(fake, `${api}/pages/1`);
  await get(fake, `${api}/pages?limit=251`);
  await get(fake, `${api}/pages`, {});
  service.addFault(rateLimitFault(model, () => true, 1000));
  await get(fake, `${api}/pages`);
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'confluence');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('pages by cursor in links, and sorts by the time of change', async () => {
  await using fake = await startFakeConfluence();
  const [first = 0] = fill(fake, 3);
  assert.equal(await pages(fake, 'limit=2'), [['Page 1', 'Page 2'], ['Page 3']]);
  fake.world.advance(60_000);
  fake.world.edit(first, { body: '<p>New</p>' });
  assert.equal(await pages(fake, 'sort=-modified-date'), [['Page 1', 'Page 3', 'Page 2']]);
});

test('lists trashed pages only by their status, and purged ones never', async () => {
  await using fake = await startFakeConfluence();
  const [first = 0, second = 0] = fill(fake, 3);
  fake.world.trash(first);
  fake.world.purge(second);
  assert.equal(await pages(fake, ''), [['Page 3']]);
  assert.equal(await pages(fake, 'status=trashed'), [['Page 1']]);
});

test('shows a late page after its delay', async () => {
  await using fake = await startFakeConfluence();
  fake.world.create('Late', '', { lateMs: 60_000 });
  assert.equal(await pages(fake, ''), [[]]);
  fake.world.advance(60_000);
  assert.equal(await pages(fake, ''), [['Late']]);
});

test('returns bodies only on request and redirects downloads', async () => {
  await using fake = await startFakeConfluence();
  const [page = 0] = fill(fake, 1);
  assert.not.match((await get(fake, `${api}/pages/${page}`)).text, '<p>');
  const { id } = fake.world.attach(page, 'a.txt', 'boom');
  const path = `/wiki/rest/api/content/${page}/child/attachment/att${id}/download`;
  const { status, headers } = await get(fake, path);
  assert.is(status, 302);
  assert.is((await get(fake, headers.get('location') ?? '', {})).text, 'boom');
});

test('answers faults in the form of the vendor', async () => {
  await using fake = await startFakeConfluence();
  const { service, model, world } = fake;
  fill(fake, 6);
  service.addFault(rateLimitFault(model, isPages, 30_000));
  assert.is((await get(fake, `${api}/pages`)).headers.get('retry-after'), '30');
  service.addFault(truncatedFault(isPages));
  assert.match(await failure(pages(fake, '')), 'JSON');
  service.addFault(emptyPageFault(isPages, (body) => ({ ...Object(body), results: [] })));
  assert.equal(await pages(fake, 'limit=3'), [[], ['Page 4', 'Page 5', 'Page 6']]);
  service.addFault(repeatedPageFault(isPages));
  assert.equal((await pages(fake, 'limit=3')).slice(0, 2), [
    ['Page 1', 'Page 2', 'Page 3'],
    ['Page 1', 'Page 2', 'Page 3'],
  ]);
  service.addFault(serverErrorFault(isPages));
  assert.match(await failure(pages(fake, 'limit=1')), '502 <html>');
  world.slowItems = 100;
  assert.match(await failure(pages(fake, 'limit=250')), '504');
  service.addFault(revokedTokenFault(model, isPages, 1));
  assert.match(await failure(pages(fake, 'limit=3')), '"statusCode":403');
});

test.run();
