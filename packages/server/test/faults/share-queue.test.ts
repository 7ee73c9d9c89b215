// test-timeout: 600
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '../../../../scripts/test-support/postgres.js';
import { add, jobEnd } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { seededRandom } from './support/random.js';
import { assertSame, type Snapshot } from './support/snapshot.js';
import { Reference, World } from './support/world.js';

const sources = 6;
const filesEach = 50;
/** Well below the lease of 60 s: the others look for dead neighbours with each heartbeat. */
const takeOverMs = 40_000;

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

async function addAll(cluster: Cluster): Promise<string[]> {
  const ids: string[] = [];
  for (const target of targets) ids.push(await add(cluster.url, target));
  return ids;
}

/** Each file was done once in effect: counted once, and its rows are there once. */
async function assertDone(cluster: Cluster, ids: readonly string[], when: string): Promise<void> {
  for (const id of ids) {
    const job = await jobEnd(cluster.url, id, takeOverMs);
    assert.is(job.status, 'succeeded', `${when}: ${JSON.stringify(job)}`);
    assert.equal([job.total_objects, job.succeeded_objects], [filesEach, filesEach], when);
  }
  assertSame(await cluster.snapshot(), expected, when);
  assert.is(await cluster.deadlocks(), 0, when);
}

for (const workers of [2, 4]) {
  test(`${workers} workers do each task once, and all of them work`, async () => {
    const cluster = await clusterOf(`share-${workers}`, workers);
    const watch = watchHolders(cluster);
    const ids = await addAll(cluster);
    await assertDone(cluster, ids, `${workers} workers`);
    const seen = await watch.end();
    console.log(`${workers} workers: ${seen.size} of them had tasks or jobs`);
    assert.ok(seen.size >= Math.min(workers, 3), `only ${seen.size} of ${workers} worked`);
    await cluster.stop();
  });
}

test('the tasks of a worker that is killed are done by the others', async () => {
  const cluster = await clusterOf('killed', 4);
  const ids = await addAll(cluster);
  const victim = await someHolder(cluster);
  await victim.end('SIGKILL');
  assert.ok((await cluster.holders()).has(victim.process.pid ?? 0), 'it had nothing to do');
  await assertDone(cluster, ids, 'one of four killed');
  await cluster.stop();
});

test('a worker that was asleep while others did its tasks spoils nothing', async () => {
  const cluster = await clusterOf('asleep', 2);
  const ids = await addAll(cluster);
  const sleeper = await someHolder(cluster);
  sleeper.process.kill('SIGSTOP');
  const held = await cluster.expireLeases(sleeper.process.pid ?? 0);
  assert.ok(held > 0, 'it held no task');
  await assertDone(cluster, ids, 'one of two asleep');
  sleeper.process.kill('SIGCONT');
  // It finishes what it had begun, learns that it lost it, and goes on: it is the only one that is left.
  await cluster.workers.find((worker) => worker !== sleeper)?.end('SIGTERM');
  for (const target of targets) {
    const job = await jobEnd(cluster.url, await add(cluster.url, target));
    assert.is(job.status, 'succeeded', JSON.stringify(job));
  }
  assertSame(await cluster.snapshot(), expected, 'after the next sync');
  await cluster.stop();
});

/** Collects the processes that hold leases, until it is ended. */
function watchHolders(cluster: Cluster): { end(): Promise<Set<number>> } {
  const seen = new Set<number>();
  let ended = false;
  const watching = (async () => {
    while (!ended) {
      for (const pid of await cluster.holders()) seen.add(pid);
      await delay(20);
    }
  })();
  return {
    end: async () => {
      ended = true;
      await watching;
      return seen;
    },
  };
}

async function someHolder(cluster: Cluster): Promise<Cluster['workers'][number]> {
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const [pid] = await cluster.holders();
    const holder = cluster.workers.find(({ process }) => process.pid === pid);
    if (holder !== undefined) return holder;
    await delay(10);
  }
  throw new Error('no worker holds a task');
}

test.run();
