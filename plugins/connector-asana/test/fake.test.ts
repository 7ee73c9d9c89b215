import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rateLimitFault } from '@trove/connector-kit/http/fake';
import { loadVendorSchemas, schemasFolder } from '@trove/test-support/vendor-schemas.js';
import { testUnless } from '@trove/test-support/skips.js';
import { startFakeAsana, type FakeAsana } from './fake.js';
import { fill } from './support.js';

const test = suite('the fake Asana');
const noSchemas = existsSync(join(schemasFolder ?? '', 'asana', 'cases.json'))
  ? null
  : 'TROVE_TEST_SPECS names no folder with schemas of Asana';

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
}

async function call({ service }: FakeAsana, path: string, token = 'token-1'): Promise<Got> {
  const response = await fetch(`${service.origin}/api/1.0${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const json: unknown = await response.json();
  return { status: response.status, headers: response.headers, json: Object(json) };
}

function list({ json }: Got): Record<string, unknown>[] {
  if (!Array.isArray(json['data'])) throw new Error(`not a list: ${JSON.stringify(json)}`);
  return json['data'];
}

function messageOf({ json }: Got): unknown {
  const { errors }: { readonly errors?: readonly { readonly message: string }[] } = json;
  return errors?.[0]?.message;
}

testUnless(noSchemas, test)('answers every operation in the form of the schemas', async () => {
  await using fake = await startFakeAsana();
  const { world, service, model } = fake;
  const { project, tasks } = fill(world, ['One', 'Two']);
  const [task = ''] = tasks.map(({ gid }) => gid);
  world.addTask({ name: 'Subtask', parent: task, customFields: { Priority: 'High' } });
  const comment = world.comment(task, 'A comment');
  const update = world.addUpdate(project.gid, 'Week 1', 'All is well.');
  const { sync } = Object((await call(fake, `/events?resource=${project.gid}`)).json);
  world.deleteComment(world.comment(task, 'Another one').gid);
  const paths = [
    '/users/me',
    '/workspaces?limit=1',
    `/projects?workspace=1001&limit=1&opt_fields=notes,owner.name,current_status_update`,
    `/tasks?project=${project.gid}&limit=1&opt_fields=notes,memberships.section.name,assignee`,
    `/tasks?project=${project.gid}`,
    `/tasks/${task}`,
    `/tasks/${task}/stories?limit=100&opt_fields=type,text,created_by.name,target`,
    `/tasks/${task}/subtasks?limit=100&opt_fields=custom_fields.display_value`,
    `/stories/${comment.gid}`,
    `/status_updates?parent=${project.gid}&limit=1&opt_fields=text,status_type`,
    `/status_updates/${update.gid}`,
    `/events?resource=${project.gid}&sync=${encodeURIComponent(sync)}`,
  ];
  for (const path of paths) assert.is((await call(fake, path)).status, 200, path);
  await call(fake, '/users/me', 'wrong');
  await call(fake, '/tasks/1');
  await call(fake, '/tasks');
  project.isClosed = true;
  await call(fake, `/tasks?project=${project.gid}`);
  service.addFault(rateLimitFault(model, () => true, 1000));
  await call(fake, '/users/me');
  const schemas = await loadVendorSchemas(schemasFolder ?? '', 'asana', '/api/1.0');
  assert.equal(schemas.problems(service.exchanges), []);
  const statuses = new Set(service.exchanges.map(({ status }) => status));
  assert.equal(
    [...statuses].toSorted((a, b) => a - b),
    [200, 400, 401, 403, 404, 412, 429],
  );
});

test('has a token for the next page, which expires', async () => {
  await using fake = await startFakeAsana();
  const { project } = fill(fake.world, ['One', 'Two', 'Three']);
  const path = `/tasks?project=${project.gid}&limit=2`;
  const first = await call(fake, path);
  const { offset, uri } = Object(first.json['next_page']);
  assert.equal(
    list(first).map(({ name }) => name),
    ['One', 'Two'],
  );
  assert.match(uri, `${fake.service.origin}/api/1.0/tasks?project=`);
  const second = await call(fake, `${path}&offset=${offset}`);
  assert.equal(
    list(second).map(({ name }) => name),
    ['Three'],
  );
  assert.is(second.json['next_page'], null);
  fake.world.offsetGeneration++;
  const expired = await call(fake, `${path}&offset=${offset}`);
  assert.equal(
    [expired.status, messageOf(expired)],
    [400, 'offset: Your pagination token has expired.'],
  );
  assert.is((await call(fake, path.replace('2', '101'))).status, 400);
});

test('answers with the requested members and the ids of inner objects', async () => {
  await using fake = await startFakeAsana();
  const { project, tasks } = fill(fake.world, ['One']);
  fake.world.editTask(tasks[0]?.gid ?? '', { assignee: fake.world.bob });
  const path = `/tasks?project=${project.gid}&limit=1`;
  const [compact] = list(await call(fake, path));
  assert.equal(Object.keys(compact ?? {}), ['gid', 'resource_type', 'name', 'resource_subtype']);
  const [some] = list(await call(fake, `${path}&opt_fields=notes,assignee,projects.name`));
  assert.equal(some, {
    gid: tasks[0]?.gid,
    resource_type: 'task',
    assignee: { gid: '2002', resource_type: 'user' },
    notes: '',
    projects: [{ gid: project.gid, resource_type: 'project', name: 'Website' }],
  });
});

test('lists the tasks that were modified since a time', async () => {
  await using fake = await startFakeAsana();
  const { world } = fake;
  const { project, tasks } = fill(world, ['One', 'Two', 'Three']);
  const [one = '', two = '', three = ''] = tasks.map(({ gid }) => gid);
  const other = world.addProject('Other');
  const since = new Date(world.now).toISOString();
  const modified = async (): Promise<unknown[]> =>
    list(await call(fake, `/tasks?project=${project.gid}&limit=9&modified_since=${since}`)).map(
      ({ gid }) => gid,
    );
  world.addTask({ name: 'Subtask', parent: three });
  world.addToProject(three, other.gid);
  assert.equal(await modified(), []);
  world.comment(one, 'A comment');
  world.complete(two);
  assert.equal(await modified(), [one, two]);
});

test('answers a missing or expired token of events with a new one', async () => {
  await using fake = await startFakeAsana();
  const { world } = fake;
  const { project, tasks } = fill(world, ['One']);
  const events = (sync: unknown = ''): Promise<Got> =>
    call(fake, `/events?resource=${project.gid}&sync=${encodeURIComponent(String(sync))}`);
  const first = await events();
  assert.equal([first.status, first.json['data']], [412, undefined]);
  const subtask = world.addTask({ name: 'Subtask', parent: tasks[0]?.gid ?? '' });
  const second = await events(first.json['sync']);
  assert.equal(
    list(second).map(({ action, resource }) => [action, Object(resource).resource_type]),
    [
      ['added', 'task'],
      ['added', 'story'],
    ],
  );
  assert.equal(list(await events(first.json['sync'])).length, 2);
  assert.equal(list(await events(second.json['sync'])), []);
  world.comment(subtask.gid, 'A comment');
  const [story] = list(await events(second.json['sync']));
  assert.equal(story?.['parent'], { gid: subtask.gid, resource_type: 'task' });
  world.events.generation++;
  assert.is((await events(second.json['sync'])).status, 412);
});

test('has at most 100 events in an answer, and says if there are more', async () => {
  await using fake = await startFakeAsana();
  const { world } = fake;
  const { project, tasks } = fill(world, ['One']);
  const events = (sync: unknown = ''): Promise<Got> =>
    call(fake, `/events?resource=${project.gid}&sync=${encodeURIComponent(String(sync))}`);
  const { json } = await events();
  for (let number = 0; number < 150; number++) world.complete(tasks[0]?.gid ?? '');
  const counts: unknown[] = [];
  for (let sync = json['sync'], more: unknown = true; more === true;) {
    const answer = await events(sync);
    counts.push(list(answer).length);
    ({ sync, has_more: more } = Object(answer.json));
  }
  assert.equal(counts, [100, 100, 100]);
});

test('refuses a wrong token, closed projects, unknown ids and too many requests', async () => {
  await using fake = await startFakeAsana();
  const { project, tasks } = fill(fake.world, ['One']);
  assert.equal(messageOf(await call(fake, '/users/me', 'wrong')), 'Not Authorized');
  assert.is((await call(fake, '/tasks/1')).status, 404);
  assert.is((await call(fake, '/tasks?project=x')).status, 400);
  project.isClosed = true;
  for (const path of [`/tasks?project=${project.gid}`, `/tasks/${tasks[0]?.gid}/stories`])
    assert.is((await call(fake, path)).status, 403);
  fake.service.addFault(rateLimitFault(fake.model, () => true, 30_000));
  const { status, headers } = await call(fake, '/users/me');
  assert.equal([status, headers.get('retry-after')], [429, '30']);
});

test.run();
