// test-slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { testUnless } from '@trove/test-support/skips.js';
import { importVendorClient, missingVendorClient } from '@trove/test-support/vendor-clients.js';
import { startFakeAsana, type FakeAsana } from './fake.js';
import { fill } from './support.js';

interface Page {
  readonly data: readonly { readonly gid: string; readonly name?: string }[] | null;
  nextPage(): Promise<Page>;
}

interface Client {
  basePath: string;
  readonly authentications: { readonly token: { accessToken: string } };
}

interface AsanaModule {
  readonly ApiClient: new () => Client;
  readonly TasksApi: new (client: Client) => {
    getTasks(options: Readonly<Record<string, unknown>>): Promise<Page>;
    getTask(gid: string, options: object): Promise<{ readonly data: { readonly name: string } }>;
  };
  readonly StoriesApi: new (client: Client) => {
    getStoriesForTask(gid: string, options: object): Promise<Page>;
  };
  readonly EventsApi: new (client: Client) => {
    getEvents(project: string, options: object): Promise<Page>;
  };
}

interface Refusal {
  readonly status: number;
  readonly response: { readonly body: unknown };
}

const test = suite('the fake Asana with the client of the vendor');
const missing = missingVendorClient('asana');

async function clientOf(
  { service }: FakeAsana,
  token = 'token-1',
): Promise<{ readonly module: AsanaModule; readonly client: Client }> {
  const module = await importVendorClient<AsanaModule>('asana');
  const client = new module.ApiClient();
  client.basePath = `${service.origin}/api/1.0`;
  client.authentications.token.accessToken = token;
  return { module, client };
}

/** Returns the refusal of a request. */
async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  return work.then(
    () => {
      throw new Error('The request was not refused');
    },
    (error: Refusal) => error,
  );
}

testUnless(missing, test)('pages through tasks, and reads a task with its comments', async () => {
  await using fake = await startFakeAsana();
  const { project, tasks } = fill(
    fake.world,
    Array.from({ length: 250 }, (_, at) => `Task ${at}`),
  );
  const [task = ''] = tasks.map(({ gid }) => gid);
  fake.world.comment(task, 'A comment');
  const { module, client } = await clientOf(fake);
  const api = new module.TasksApi(client);
  const found: string[] = [];
  const options = { project: project.gid, limit: 100, opt_fields: 'name,memberships.section.name' };
  for (let page = await api.getTasks(options); page.data !== null; page = await page.nextPage())
    found.push(...page.data.map(({ gid }) => gid));
  assert.equal(
    found,
    tasks.map(({ gid }) => gid),
  );
  assert.is((await api.getTask(task, {})).data.name, 'Task 0');
  const stories = await new module.StoriesApi(client).getStoriesForTask(task, { limit: 100 });
  assert.is(stories.data?.length, 2);
});

testUnless(missing, test)('reads events, and understands the refusals', async () => {
  await using fake = await startFakeAsana();
  const { project, tasks } = fill(fake.world, ['One']);
  const { module, client } = await clientOf(fake);
  const api = new module.EventsApi(client);
  const refusal = await refusalOf(api.getEvents(project.gid, {}));
  const { sync } = Object(refusal.response.body);
  assert.is(refusal.status, 412);
  fake.world.comment(tasks[0]?.gid ?? '', 'A comment');
  assert.is((await api.getEvents(project.gid, { sync })).data?.length, 1);
  const other = await clientOf(fake, 'wrong');
  const refused = await refusalOf(new module.TasksApi(other.client).getTask('1', {}));
  assert.is(refused.status, 401);
});

test.run();
