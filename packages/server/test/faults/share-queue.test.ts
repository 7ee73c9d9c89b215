// test-timeout: 600
// test-slow
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { seededRandom } from '@trove/test-support/random.js';
import { maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import { add, jobEnd } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { assertSame, type Snapshot } from './support/snapshot.js';
import { Reference, World } from './support/world.js';

const sources = 6;
const filesEach = 20;

const test = suite('workers that share a queue');
const random = seededRandom('workers that share a queue');
let world: World;
let postgres: TestPostgres;
let targets: string[];
let expected: Snapshot;
/** All tests share it, because starting a process takes longer than its work. */
let cluster: Cluster;

test.before(async () => {
  world = await World.make();
  postgres = await startPostgres();
  const corpora = Array.from(
    { length: sources },
    (_, n) => new Corpus(world.path(`docs-${n}`), random),
  );
  for (const corpus of corpora) await corpus.add(filesEach);
  targets = corpora.map(({ root }) => root);
  expected = (await new Reference(world.path('reference')).sync(targets)).left;
  cluster = new Cluster(world, await postgres.createDatabase());
  await cluster.startApi();
});
test.after(async () => {
  await cluster.stop();
  await world.remove();
  await postgres.stop();
});

async function startWorkers(count: number): Promise<void> {
  for (let n = 0; n < count; n++) cluster.startWorker();
  await Promise.all(cluster.workers.map((worker) => worker.logged('"msg":"working"')));
}

async function addAll(request: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const target of targets) ids.push(await add(cluster.url, target, request));
  return ids;
}

/** Each file was done once: no object is counted twice or missing. */
async function assertDone(ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const job = await jobEnd(cluster.url, id);
    const counts = [job.status, job.total_objects, job.succeeded_objects];
    assert.equal(counts, ['succeeded', filesEach, filesEach], JSON.stringify(job));
  }
  assert.is(await cluster.deadlocks(), 0);
}

for (const workers of [2, 4]) {
  test(`${workers} workers do each task once, and all take part`, async () => {
    await startWorkers(workers - cluster.workers.length);
    await cluster.rememberHolders();
    for (let round = 0; (await cluster.holdersSoFar()).size < workers; round++) {
      // Workers that had a share let the others begin.
      const before = await cluster.holdersSoFar();
      const resting = cluster.workers.filter(({ process: { pid } }) => before.has(pid ?? 0));
      for (const { process } of resting) process.kill('SIGSTOP');
      const ids = await addAll({ full: true });
      const isMore = async (): Promise<boolean> =>
        (await cluster.holdersSoFar()).size > before.size;
      await waitUntil(isMore, 'another worker has something to do');
      for (const { process } of resting) process.kill('SIGCONT');
      await assertDone(ids);
      assertSame(await cluster.snapshot(), expected, `${workers} workers, round ${round}`);
    }
  });
}

test('other workers do the tasks of a killed worker', async () => {
  const ids = await addAll({ full: true });
  const victim = await stopHolder();
  await victim.end('SIGKILL');
  await assertDone(ids);
  assertSame(await cluster.snapshot(), expected, 'one of four killed');
});

test('a suspended worker whose tasks others did causes no damage', async () => {
  const ids = await addAll({ full: true });
  const sleeper = await stopHolder();
  await cluster.expireLeases(sleeper.process.pid ?? 0);
  await assertDone(ids);
  sleeper.process.kill('SIGCONT');
  // The worker finishes its task, learns that it lost it, and continues as the only one left.
  const others = cluster.workers.filter((worker) => worker !== sleeper && worker.running);
  await Promise.all(others.map((worker) => worker.end('SIGTERM')));
  await assertDone(await addAll({ full: true }));
  assert.is((await sleeper.end('SIGTERM')).code, 0);
  cluster.startWorker();
  for (const id of await addAll()) {
    assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  }
  assertSame(await cluster.snapshot(), expected, 'after the next sync');
});

/** A worker that was stopped while it held tasks. */
async function stopHolder(): Promise<Cluster['workers'][number]> {
  const deadline = performance.now() + maxWaitMs;
  while (performance.now() < deadline) {
    const [pid] = await cluster.taskHolders();
    const holder = cluster.workers.find(({ process }) => process.pid === pid);
    if (holder === undefined || pid === undefined) {
      await delay(5);
      continue;
    }
    holder.process.kill('SIGSTOP');
    if ((await cluster.taskHolders()).includes(pid)) return holder;
    holder.process.kill('SIGCONT');
  }
  throw new Error('no worker was caught at a task');
}

test.run();
