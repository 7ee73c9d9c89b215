// test-timeout: 900
// test-slow
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seededRandom } from '@trove/test-support/random.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, hasEnded, jobEnd, jobOf } from './support/api.js';
import { Corpus } from './support/corpus.js';
import type { ServerProcess } from './support/server-process.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';

const kills = 14;
/** With one more kill, an object that was read at each of them counts as deadly and is given up. */
const killsOfOneJob = 4;
const files = 80;
/** With one more kill, the job is set aside, because its source counts as deadly. */
const killsBorneInListing = 2;

const test = suite('a server that is killed');
const random = seededRandom('a server that is killed');
let world: World;

test.before(async () => {
  world = await World.make();
});
test.after(() => world.remove());

test(`leaves the index of an undisturbed one after ${kills} kills during ingest`, async () => {
  const corpus = new Corpus(world.path('docs'), random);
  const reference = new Reference(world.path('reference'));
  await corpus.add(files);
  let killed = 0;
  let jobs = 0;
  for (; killed < kills; jobs++) {
    assert.ok(jobs < 3 * kills, 'kills come too late: the jobs end before');
    const full = jobs % 2 === 0;
    if (jobs > 0) await corpus.change();
    const { left, ms } = await reference.sync([corpus.root], { full });
    const enough = Math.min(kills, killed + killsOfOneJob);
    killed = await ingest(corpus.root, { full, span: ms, killed, enough });
    assertSame(await snapshotOfHome(world.path('home')), left, `job ${jobs}, ${killed} kills`);
  }
  console.log(`${killed} kills in ${jobs} jobs`);
});

interface Ingest {
  readonly full: boolean;
  /** Approximate duration of an undisturbed sync in milliseconds. */
  readonly span: number;
  readonly killed: number;
  readonly enough: number;
}

/** Runs a sync to its end through kills at random moments. Returns the number of kills. */
async function ingest(target: string, { full, span, killed, enough }: Ingest): Promise<number> {
  let count = killed;
  let inListing = 0;
  let server = world.run();
  const id = await add(await server.url(), target, { full });
  const isListed = async (): Promise<boolean> =>
    (await jobOf(await server.url(), id)).phase !== 'listing';
  while (count < enough) {
    if (inListing === killsBorneInListing) await waitUntil(isListed, 'the source is listed');
    await delay(random() * span);
    if (!(await isListed())) inListing++;
    server = await restarted(server);
    if (hasEnded(await jobOf(await server.url(), id))) break;
    count++;
    await pickedUp(server, id);
  }
  const job = await jobEnd(await server.url(), id);
  assert.is(job.status, 'succeeded', JSON.stringify(job));
  assert.is((await server.end('SIGTERM')).code, 0, server.stderr);
  return count;
}

async function restarted(server: ServerProcess): Promise<ServerProcess> {
  assert.is((await server.end('SIGKILL')).signal, 'SIGKILL', server.stderr);
  return world.run();
}

async function pickedUp(server: ServerProcess, id: string): Promise<void> {
  await server.logged('"msg":"job started"').catch(async (error: unknown) => {
    if (!hasEnded(await jobOf(await server.url(), id))) throw error;
  });
}

test.run();
