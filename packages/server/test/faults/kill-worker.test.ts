// test-timeout: 900
// test-slow
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { seededRandom } from '@trove/test-support/random.js';
import { add, hasEnded, jobEnd, jobOf } from './support/api.js';
import { Cluster } from './support/cluster.js';
import { Corpus } from './support/corpus.js';
import { assertSame } from './support/snapshot.js';
import { Reference, World } from './support/world.js';

const kills = 12;
/** A job whose listing ends three processes is set aside. */
const killsOfOneJob = 2;
const files = 80;
/** Share of kills that hit the server. */
const apiShare = 0.25;

const test = suite('a worker that is killed');
const random = seededRandom('a worker that is killed');
let world: World;
let postgres: TestPostgres | undefined;

test.before(async () => {
  world = await World.make();
  postgres = await startPostgres();
});
test.after(async () => {
  await world.remove();
  await postgres?.stop();
});

test(`leaves the index of an undisturbed one after ${kills} kills, on PostgreSQL`, async () => {
  assert.ok(postgres);
  const cluster = new Cluster(world, await postgres.createDatabase());
  const corpus = new Corpus(world.path('docs'), random);
  const reference = new Reference(world.path('reference'));
  await corpus.add(files);
  await cluster.startApi();
  cluster.startWorker();
  let killed = 0;
  let jobs = 0;
  for (; killed < kills; jobs++) {
    assert.ok(jobs < 3 * kills, 'kills come too late: the jobs end before');
    const full = jobs % 2 === 0;
    if (jobs > 0) await corpus.change();
    const { left, ms } = await reference.sync([corpus.root], { full });
    const id = await add(cluster.url, corpus.root, { full });
    const enough = Math.min(kills, killed + killsOfOneJob);
    while (killed < enough) {
      await delay(random() * ms);
      if (!(await kill(cluster, id))) break;
      killed++;
    }
    const job = await jobEnd(cluster.url, id);
    assert.is(job.status, 'succeeded', JSON.stringify(job));
    assert.ok(cluster.api?.running, `the server ended by itself:\n${cluster.api?.stderr ?? ''}`);
    assertSame(await cluster.snapshot(), left, `job ${jobs}, ${killed} kills`);
  }
  console.log(`${killed} kills in ${jobs} jobs`);
  assert.is(await cluster.deadlocks(), 0);
});

/** Kills the worker or the server and starts another. Returns false if the job was over. */
async function kill(cluster: Cluster, id: string): Promise<boolean> {
  if (random() < apiShare) {
    await cluster.api?.end('SIGKILL');
    await cluster.startApi();
  } else {
    const [worker] = cluster.workers.splice(0, 1);
    await worker?.end('SIGKILL');
    if (hasEnded(await jobOf(cluster.url, id))) {
      cluster.startWorker();
      return false;
    }
    const next = cluster.startWorker();
    await next.logged('"msg":"job started"');
  }
  return !hasEnded(await jobOf(cluster.url, id));
}

test.run();
