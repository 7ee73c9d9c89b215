import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import {
  loadVendorSchemas,
  missingSchemas,
  schemasFolder,
} from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { SyncedSource } from '@trove/test-support/synced-source.js';
import { startFakeLinear, type FakeLinear } from './fake.js';
import { openLinear } from './source.js';

const test = suite('the fake Linear');

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly data: unknown;
  readonly code: unknown;
  readonly message: string;
}

async function ask(
  { service }: FakeLinear,
  query: string,
  variables: object = {},
  authorization = 'lin_api_1',
): Promise<Answered> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { status, headers } = response;
  const { data, errors } = Object(await response.json());
  const { message, extensions }: { message?: string; extensions?: unknown } = Object(errors?.[0]);
  return { status, headers, data, code: Object(extensions).code, message: message ?? '' };
}

function fill({ world }: FakeLinear, count: number): string[] {
  const ids = Array.from({ length: count }, () => {
    world.advance(1000);
    return world.createIssue().id;
  });
  return ids.toReversed();
}

testUnless(missingSchemas, test)('answers in the form of the schema', async () => {
  await using fake = await startFakeLinear();
  const { world, service, model } = fake;
  const project = world.createProject('Rocket', { content: 'Text', lead: 'bob' });
  const update = world.postUpdate(project.id, 'Fine');
  const issue = world.createIssue({
    description: 'Text',
    labelIds: [world.addLabel('bug')],
    project: project.id,
    assignee: 'bob',
    dueDate: '2026-12-01',
    estimate: 1,
  });
  world.createIssue({ creator: null, parent: issue.id });
  world.comment({ issue: issue.id, user: null }, 'On an issue');
  world.comment({ projectUpdate: update.id }, 'On an update');
  world.createDocument('Plan', 'Text', { project: project.id });
  const source = new SyncedSource(await openLinear(fake));
  await source.sync();
  await ask(fake, `{ issue(id: "${issue.id}") { comments { nodes { body } } } }`);
  // Errors
  await ask(fake, '{ issue(id: "none") { id } }');
  await ask(fake, '{ issues(first: 251) { nodes { id } } }');
  await ask(fake, '{ issues(first: 250) { nodes { comments { nodes { id } } } } }');
  await ask(fake, '{ issues', {});
  await ask(fake, '{ viewer { displayName } }', {}, 'lin_api_none');
  world.mayRead = false;
  await ask(fake, '{ viewer { displayName } }');
  for (const form of ['requests', 'complexity'] as const) {
    fake.limitForm = form;
    service.addFault(rateLimitFault(model, () => true, 1000));
    await ask(fake, '{ viewer { displayName } }');
  }
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'linear');
  const found = schemas.problems(service.exchanges);
  // The validator refuses a query that cannot be parsed, as the service does.
  assert.equal(found, []);
});

test('lists issues newest first, in pages after a cursor', async () => {
  await using fake = await startFakeLinear();
  const ids = fill(fake, 5);
  const query = `query($after: String) {
    issues(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } }
  }`;
  const found: string[] = [];
  for (let after: unknown = null, more: unknown = true; more === true;) {
    const { issues } = Object((await ask(fake, query, { after })).data);
    for (const { id } of issues.nodes) found.push(id);
    ({ endCursor: after, hasNextPage: more } = issues.pageInfo);
  }
  assert.equal(found, ids);
});

test('shows archived and trashed issues on request only, and filters by time', async () => {
  await using fake = await startFakeLinear();
  const { world } = fake;
  const [newest = '', middle = '', oldest = ''] = fill(fake, 3);
  world.trash(world.issues, middle);
  world.advance(1000);
  const since = new Date(world.now).toISOString();
  world.edit(world.issues, oldest, { title: 'Edited' });
  const list = async (args: string): Promise<string[]> => {
    const { data } = await ask(fake, `{ issues(${args}) { nodes { id } } }`);
    return Object(data).issues.nodes.map(({ id }: { readonly id: string }) => id);
  };
  assert.equal(await list('orderBy: updatedAt'), [oldest, newest]);
  assert.equal(await list('includeArchived: true'), [newest, middle, oldest]);
  assert.equal(await list(`filter: { updatedAt: { gte: "${since}" } }`), [oldest]);
});

test('filters comments by what they are on', async () => {
  await using fake = await startFakeLinear();
  const { world } = fake;
  const issue = world.createIssue();
  const update = world.postUpdate(world.createProject('Rocket').id, 'Fine');
  const on = {
    issue: world.comment({ issue: issue.id }, 'On an issue').id,
    update: world.comment({ projectUpdate: update.id }, 'On an update').id,
  };
  const list = async (filter: string): Promise<string[]> => {
    const { data } = await ask(fake, `{ comments(filter: ${filter}) { nodes { id } } }`);
    return Object(data).comments.nodes.map(({ id }: { readonly id: string }) => id);
  };
  assert.equal(await list('{ issue: { null: false } }'), [on.issue]);
  assert.equal(await list(`{ issue: { id: { eq: "${issue.id}" } } }`), [on.issue]);
  assert.equal(
    await list('{ or: [{ project: { null: false } }, { projectUpdate: { null: false } }] }'),
    [on.update],
  );
  assert.equal(await list(`{ projectUpdate: { project: { id: { eq: "${update.project}" } } } }`), [
    on.update,
  ]);
});

test('counts 50 items for a list without a size, at every level', async () => {
  await using fake = await startFakeLinear();
  const cost = async (query: string): Promise<number> =>
    Number((await ask(fake, query)).headers.get('x-complexity'));
  assert.is(await cost('{ issues(first: 10) { nodes { id title } } }'), 22);
  assert.is(await cost('{ issues { nodes { id } } }'), 105);
  const refused = await ask(fake, '{ issues(first: 250) { nodes { comments { nodes { id } } } } }');
  assert.is(refused.status, 400);
  assert.is(refused.message, 'Query too complex');
});

test('states errors in the form of the service', async () => {
  await using fake = await startFakeLinear();
  const { world, service, model } = fake;
  const absent = await ask(fake, '{ issue(id: "none") { id } }');
  assert.is(absent.status, 200);
  assert.is(absent.data, null);
  assert.is(absent.code, 'INPUT_ERROR');
  assert.match(absent.message, 'Entity not found');
  const invalid = await ask(fake, '{ issues { nodes { nam } } }');
  assert.equal([invalid.status, invalid.code], [400, 'GRAPHQL_VALIDATION_FAILED']);
  const anonymous = await ask(fake, '{ viewer { name } }', {}, '');
  assert.equal([anonymous.status, anonymous.code], [401, 'AUTHENTICATION_ERROR']);
  const bearer = await ask(fake, '{ viewer { name } }', {}, 'Bearer lin_api_1');
  assert.match(bearer.message, 'Remove the Bearer prefix');
  service.addFault(rateLimitFault(model, () => true, 60_000));
  const limited = await ask(fake, '{ viewer { name } }');
  assert.equal([limited.status, limited.code], [400, 'RATELIMITED']);
  assert.is(limited.headers.get('x-ratelimit-requests-remaining'), '0');
  const waitMs = Number(limited.headers.get('x-ratelimit-requests-reset')) - Date.now();
  assert.ok(waitMs > 50_000 && waitMs <= 60_000, String(waitMs));
  world.mayRead = false;
  assert.is((await ask(fake, '{ viewer { name } }')).code, 'FORBIDDEN');
});

test.run();
