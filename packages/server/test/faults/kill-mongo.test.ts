// test-timeout: 600
// test-slow
// test-waits
import type { StatusResponse } from 'trove';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FakeMongoServer } from '@trove/test-support/mongo/server.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, call, hasEnded, jobEnd, jobOf, success } from './support/api.js';
import { assertSame } from './support/snapshot.js';
import { queue, Reference, snapshotOfHome, World } from './support/world.js';

const documents = 1500;
const variable = 'TROVE_TEST_KILLED_MONGO_PASSWORD';
const password = 'secret';
const config = { password: `env:${variable}` };

const test = suite('a MongoDB server that is killed, or whose connections are');
const world = await World.make();
const mongo = await FakeMongoServer.start({ users: { reader: { password } } });
process.env[variable] = password;
const target = `mongodb://reader@127.0.0.1:${mongo.port}/shop`;
test.after(async () => {
  delete process.env[variable];
  await world.remove();
  await mongo.stop();
});

function noteOf(index: number, body: string, at: string): Record<string, unknown> {
  const updatedAt = new Date(Date.parse(at) + index * 3_600_000);
  return { _id: index, body: `${body} ${index} of ${index * 7919}`, updatedAt };
}

const numbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

const changes = [
  () => {
    const shop = mongo.database('shop');
    shop.put(
      'notes',
      numbers(0, documents).map((index) => noteOf(index, 'note', '2024-01-01')),
    );
    const pipeline = [{ $match: { _id: { $lt: 300 } } }, { $unset: ['updatedAt'] }];
    shop.create('short', 'view', { viewOn: 'notes', pipeline });
  },
  () => {
    const some = numbers(0, documents).filter((index) => index % 7 === 0);
    mongo.database('shop').put(
      'notes',
      some.map((index) => noteOf(index, 'changed', '2025-01-01')),
    );
  },
  () => {
    mongo.database('shop').remove('notes', { _id: { $lt: 500 } });
    mongo.database('shop').put(
      'notes',
      numbers(5000, 5500).map((index) => noteOf(index, 'new', '2025-06-01')),
    );
  },
];

test('leaves the index of an undisturbed sync, also if our server is killed', async () => {
  const home = world.path('home');
  const reference = new Reference(world.path('reference'));
  const env = { [variable]: password };
  for (const [at, change] of changes.entries()) {
    change();
    const { left } = await reference.sync([target], { config });
    const id = await queue(home, target, { config });
    const disturbance = disturbing(at < 2);
    let server = world.run('home', env);
    const url = await server.url();
    await waitUntil(
      async () => disturbance.isOver || hasEnded(await jobOf(url, id)),
      'the sync is disturbed, or ends',
    );
    await disturbance.end();
    if (at > 0) {
      await server.end('SIGKILL');
      server = world.run('home', env);
    }
    await success(await server.url(), id, target, { config });
    await server.end('SIGTERM');
    assertSame(await snapshotOfHome(home), left, `change ${at}`);
  }
});

/** Kills connections while documents are read, and then the server, which is restarted. */
function disturbing(isRestarted: boolean): { readonly isOver: boolean; end(): Promise<void> } {
  let reads = 0;
  let restarted: Promise<void> | null = null;
  const restart = async (): Promise<void> => {
    await mongo.stop();
    await mongo.start();
  };
  mongo.onCommand = ({ find }) => {
    if (find === undefined) return;
    reads++;
    if (reads === 1 || reads === 4) mongo.kill();
    if (reads === 6 && isRestarted) restarted = restart();
  };
  return {
    get isOver() {
      return reads > 6;
    },
    end: async () => {
      mongo.onCommand = () => undefined;
      await restarted;
      assert.ok(reads > 0, 'nothing was killed');
    },
  };
}

test('registers nothing with a wrong password and removes nothing during an outage', async () => {
  const before = await snapshotOfHome(world.path('home'));
  const server = world.run('home', { [variable]: password });
  const url = await server.url();
  const other = `mongodb://nobody@127.0.0.1:${mongo.port}/shop`;
  const refused = await add(url, other, { config }).then(String, String);
  assert.match(refused, /connector_unhealthy.*refused the password\. Check the user/);
  await mongo.stop();
  const down = await add(url, target).then(
    async (id) => JSON.stringify(await jobEnd(url, id)),
    String,
  );
  assert.match(down, /connector_unhealthy/);
  await mongo.start();
  const { status } = await jobEnd(url, await add(url, target));
  assert.is(status, 'succeeded');
  const { connectors } = await call<StatusResponse>(url, '/v1/status');
  assert.equal(
    connectors.map((each) => each.root_uri),
    [target],
  );
  await server.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('home')), before, 'a server that was down');
});

test.run();
