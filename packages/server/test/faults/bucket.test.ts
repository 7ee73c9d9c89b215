// test-timeout: 600
// test-slow
// test-waits
import { AwsClient } from 'aws4fetch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFaultyProxy, type FaultyProxy } from '@trove/test-support/faulty-proxy.js';
import {
  noObjectStore,
  startObjectStore,
  startSecondGateway,
  type ObjectStore,
  type SecondGateway,
} from '@trove/test-support/object-store.js';
import { testUnless } from '@trove/test-support/skips.js';
import { add, jobEnd } from './support/api.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const test = suite('a disturbed sync of a bucket');
const onStore = testUnless(noObjectStore, test);
const objects = 120;
let store: ObjectStore;
let gateway: SecondGateway;
let proxy: FaultyProxy;
let world: World;

test.before(async () => {
  world = await World.make();
  if (noObjectStore !== null) return;
  store = await startObjectStore();
  gateway = await startSecondGateway(store);
  proxy = await startFaultyProxy(gateway.endpoint);
});
test.after(async () => {
  await world.remove();
  await proxy?.stop();
  await gateway?.stop();
  await store?.stop();
});

async function put(name: string, text: string | null): Promise<void> {
  const { accessKeyId, secretAccessKey, endpoint, bucket } = store;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region: 'here' });
  const url = `${endpoint}/${bucket}/disturbed/${name}`;
  const answer = await client.fetch(
    url,
    text === null ? { method: 'DELETE' } : { method: 'PUT', body: text },
  );
  assert.ok(answer.ok, url);
}

const nameOf = (index: number): string => `part-${index % 7}/note-${index}.md`;

/** Calls `then` after the given number of requests, and lets every request pass. */
function atRead(count: number, then: () => void): void {
  let reads = 0;
  proxy.faultOf = (path) => {
    if (path.includes('.md') && ++reads === count) then();
    return 'pass';
  };
}

onStore('leaves the same index as an undisturbed one', async () => {
  const reference = new Reference(world.path('reference'));
  const target = `s3://${store.bucket}/disturbed`;
  const { accessKeyId: id, secretAccessKey: secret } = store;
  const config = { endpoint: proxy.url, access_key_id: id, secret_access_key: secret };
  for (let index = 0; index < objects; index++)
    await put(
      nameOf(index),
      `# Note ${index}\n\nThe harbour number ${index} has ${index} boats.\n`,
    );
  const first = await reference.sync([target], { config });

  // The server is killed twice while it reads. Then the store is killed, and breaks its responses for a while.
  let server = world.run();
  let job = '';
  for (const count of [20, 30]) {
    const killed = new Promise<void>((resolve) => atRead(count, resolve));
    const url = await server.url();
    if (job === '') job = await add(url, target, { config });
    await killed;
    await server.end('SIGKILL');
    server = world.run();
  }
  const killed = new Promise<void>((resolve) => atRead(10, resolve));
  const again = await server.url();
  await killed;
  await gateway.restart();
  let broken = 0;
  proxy.faultOf = () => (++broken <= 6 ? { breakAfter: 10 } : 'pass');
  // Objects that failed repeatedly are done at the next sync.
  for (let ended = await jobEnd(again, job); ended.status !== 'succeeded';)
    ended = await jobEnd(again, await add(again, target));
  assert.ok(broken > 6, 'the store broke off nothing');
  await server.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('home')), first.left, 'killed and broken off');

  // Objects change meanwhile, and the first listing fails midway.
  for (let index = 0; index < 20; index++)
    await put(nameOf(index), index % 2 === 0 ? null : `# Other ${index}\n\nNo boats any more.\n`);
  await put('new.md', '# New\n\nA lighthouse.\n');
  proxy.faultOf = () => 'pass';
  const second = await reference.sync([target]);
  let lists = 0;
  proxy.faultOf = (path) =>
    path.includes('list-type') && ++lists <= 2 ? { breakAfter: 9000 } : 'pass';
  server = world.run();
  const url = await server.url();
  const next = await jobEnd(url, await add(url, target));
  const { status, added, changed, removed } = next;
  assert.equal(
    { status, added, changed, removed },
    { status: 'succeeded', added: 1, changed: 10, removed: 10 },
  );
  assert.ok(lists > 2, 'the listing was not disturbed');
  await server.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('home')), second.left, 'a listing that failed');
});

onStore('deletes nothing while the store is down', async () => {
  const before = await snapshotOfHome(world.path('home'));
  proxy.faultOf = () => ({ breakAfter: 0 });
  const server = world.run();
  const url = await server.url();
  const error = await add(url, `s3://${store.bucket}/disturbed`).then(
    (id) => jobEnd(url, id).then((job) => JSON.stringify(job)),
    (refusal: unknown) => String(refusal),
  );
  assert.match(error, 'connector_unhealthy');
  await server.end('SIGTERM');
  assertSame(await snapshotOfHome(world.path('home')), before, 'a store that is down');
});

test.run();
