// test-timeout: 600
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '../../../../scripts/test-support/postgres.js';
import { add, jobEnd } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { seededRandom } from '../../../../scripts/test-support/random.js';
import { assertSame, type Snapshot } from './support/snapshot.js';
import { Reference, World } from './support/world.js';
import { patienceMs } from '../../../../scripts/test-support/patience.js';

const sources = 6;
const filesEach = 50;
/** How often all of it is done at most until each worker had a share. */
const rounds = 8;

const test = suite('workers that share a queue');
const random = seededRandom('workers that share a queue');
let world: World;
let postgres: TestPostgres | undefined;
let targets: string[];
let expected: Snapshot;

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
});
test.after(async () => {
  await world.remove();
  await postgres?.stop();
});

async function clusterOf(name: string, workers: number): Promise<Cluster> {
  assert.ok(postgres);
  const cluster = new Cluster(world, await postgres.createDatabase(), name);
  await cluster.startApi();
  for (let n = 0; n < workers; n++) cluster.startWorker();
  await Promise.all(cluster.workers.map((worker) => worker.logged('"msg":"working"')));
  return cluster;
}

async function addAll(
  cluster: Cluster,
  request: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const target of targets) ids.push(await add(cluster.url, target, request));
  return ids;
}

/** Each file was done once in effect: no object was counted twice, none is missing. */
async function assertDone(cluster: Cluster, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const job = await jobEnd(cluster.url, id);
    const counts = [job.status, job.total_objects, job.succeeded_objects];
    assert.equal(counts, ['succeeded', filesEach, filesEach], JSON.stringify(job));
  }
  assert.is(await cluster.deadlocks(), 0);
}

for (const workers of [2, 4]) {
  test(`${workers} workers do each task once, and all of them work`, async () => {
    const cluster = await clusterOf(`share-${workers}`, workers);
    const watch = watchHolders(cluster);
    for (let round = 0; round < rounds && watch.seen.size < workers; round++) {
      await assertDone(cluster, await addAll(cluster, { full: true }));
      assertSame(await cluster.snapshot(), expected, `${workers} workers, round ${round}`);
    }
    await watch.end();
    assert.is(watch.seen.size, workers, 'workers that had something to do');
    await cluster.stop();
  });
}

test('the tasks of a worker that is killed are done by the others', async () => {
  const cluster = await clusterOf('killed', 4);
  const ids = await addAll(cluster);
  const victim = await stopHolder(cluster);
  await victim.end('SIGKILL');
  await assertDone(cluster, ids);
  assertSame(await cluster.snapshot(), expected, 'one of four killed');
  await cluster.stop();
});

test('a worker that was asleep while others did its tasks spoils nothing', async () => {
  const cluster = await clusterOf('asleep', 2);
  const ids = await addAll(cluster);
  const sleeper = await stopHolder(cluster);
  await cluster.expireLeases(sleeper.process.pid ?? 0);
  await assertDone(cluster, ids);
  sleeper.process.kill('SIGCONT');
  // It finishes what it had begun, learns that it lost it, and goes on: it is the only one that is left.
  await cluster.workers.find((worker) => worker !== sleeper)?.end('SIGTERM');
  await assertDone(cluster, await addAll(cluster, { full: true }));
  assert.is((await sleeper.end('SIGTERM')).code, 0);
  cluster.startWorker();
  for (const id of await addAll(cluster)) {
    assert.is((await jobEnd(cluster.url, id)).status, 'succeeded');
  }
  assertSame(await cluster.snapshot(), expected, 'after the next sync');
  await cluster.stop();
});

/** Collects the processes that hold tasks, until it is ended. */
function watchHolders(cluster: Cluster): { readonly seen: Set<number>; end(): Promise<void> } {
  const seen = new Set<number>();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      for (const pid of await cluster.taskHolders()) seen.add(pid);
      await delay(20);
    }
  })();
  return {
    seen,
    end: async () => {
      ended = true;
      await watching;
    },
  };
}

/** A worker that was stopped while it held tasks. */
async function stopHolder(cluster: Cluster): Promise<Cluster['workers'][number]> {
  const deadline = performance.now() + patienceMs;
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
