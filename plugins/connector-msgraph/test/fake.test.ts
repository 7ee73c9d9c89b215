import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeGraph, type FakeGraph } from './fake.js';

const test = suite('the fake Microsoft Graph');

interface Got {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

async function get(
  { service }: FakeGraph,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Got> {
  const url = new URL(path.startsWith('http') ? path : `/v1.0${path}`, service.origin);
  const response = await fetch(url, {
    headers: { authorization: 'Bearer token-1', ...headers },
    redirect: 'manual',
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? {} : JSON.parse(text) };
}

function valuesOf({ status, json }: Got): Readonly<Record<string, unknown>>[] {
  const { value } = json;
  if (!Array.isArray(value)) throw new Error(`${status} ${JSON.stringify(json)}`);
  return value.map((item) => Object(item));
}

function linkOf({ json }: Got, kind: 'delta' | 'next'): string {
  return String(json[`@odata.${kind}Link`]);
}

testUnless(missingSchemas, test)('answers drives in the form of the schemas', async () => {
  await using fake = await startFakeGraph();
  const { world, service, model } = fake;
  const { own } = world;
  const drive = `/drives/${own.id}`;
  const folder = own.createFolder('Folder');
  const file = own.create({ name: 'a.txt', content: 'alpha', parent: folder.id });
  const gone = own.create({ name: 'gone.txt' });
  own.create({ name: 'Notes', kind: 'notebook' });
  own.create({ name: 'Theirs', kind: 'shortcut' });
  const first = await get(fake, `${drive}/root/delta?$top=2`);
  await get(fake, linkOf(first, 'next'));
  const all = await get(fake, `${drive}/root/delta`);
  own.remove(gone.id);
  const changes = await get(fake, linkOf(all, 'delta'));
  assert.equal(
    valuesOf(changes).map(({ id }) => id),
    [gone.id],
  );
  await get(fake, `${drive}/items/${file.id}`);
  await get(fake, `${drive}/items/none`);
  await get(fake, `${drive}/items/${file.id}`, { authorization: 'Bearer old' });
  own.expireLinks();
  await get(fake, linkOf(all, 'delta'));
  service.addFault(rateLimitFault(model, () => true, 1000));
  await get(fake, `${drive}/root/delta`);
  for (const status of [403, 423]) {
    own.failure = status;
    await get(fake, `${drive}/root/delta`);
  }
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((left, right) => left - right),
    [200, 401, 403, 404, 410, 423, 429],
  );
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'msgraph');
  assert.equal(schemas.problems(service.exchanges), []);
});

test('repeats an item in the changes as often as it has changed', async () => {
  await using fake = await startFakeGraph();
  const { own } = fake.world;
  const { id } = own.create({ name: 'a.txt' });
  const all = await get(fake, `/drives/${own.id}/root/delta`);
  own.edit(id, { name: 'b.txt' });
  own.edit(id, { name: 'c.txt' });
  const changes = valuesOf(await get(fake, linkOf(all, 'delta')));
  assert.equal(
    changes.map(({ name }) => name),
    ['c.txt', 'c.txt'],
  );
});

test('logs only the folder when a folder moves or is deleted', async () => {
  await using fake = await startFakeGraph();
  const { own } = fake.world;
  const [folder, other] = [own.createFolder('Folder'), own.createFolder('Other')];
  own.create({ name: 'a.txt', parent: folder.id });
  const all = await get(fake, `/drives/${own.id}/root/delta`);
  own.move(folder.id, other.id);
  own.remove(other.id);
  const changes = valuesOf(await get(fake, linkOf(all, 'delta')));
  assert.equal(
    changes.map(({ id, deleted }) => [id, deleted !== undefined]),
    [
      [folder.id, true],
      [other.id, true],
    ],
  );
});

test('redirects to a host of contents that refuses a login', async () => {
  await using fake = await startFakeGraph();
  const { own } = fake.world;
  const { id } = own.create({ name: 'a.txt', content: 'alpha' });
  const url = `${fake.service.origin}/v1.0/drives/${own.id}/items/${id}/content`;
  const headers = { authorization: 'Bearer token-1' };
  const location =
    (await fetch(url, { headers, redirect: 'manual' })).headers.get('location') ?? '';
  assert.ok(location.startsWith(fake.downloads.origin));
  assert.is((await fetch(location, { headers })).status, 401);
  assert.is(await (await fetch(location)).text(), 'alpha');
});

test('limits requests in the form of the service', async () => {
  await using fake = await startFakeGraph();
  fake.service.addFault(rateLimitFault(fake.model, () => true, 2000));
  const { status, json } = await get(fake, '/me/drive');
  const { code }: { readonly code?: string } = Object(json['error']);
  assert.equal([status, code], [429, 'activityLimitReached']);
});

test.run();
