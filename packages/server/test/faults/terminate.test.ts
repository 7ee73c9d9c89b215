// test-timeout: 300
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { add, jobEnd, jobOf } from './support/api.js';
import { Corpus } from './support/corpus.js';
import { seededRandom } from '../../../../scripts/test-support/random.js';
import { assertSame } from './support/snapshot.js';
import { Reference, snapshotOfHome, World } from './support/world.js';
import { until } from '../../../../scripts/test-support/patience.js';

const files = 400;

const test = suite('a server that is asked to stop');
const random = seededRandom('a server that is asked to stop');
let world: World;

test.before.each(async () => {
  world = await World.make();
});
test.after.each(() => world.remove());

test('stops in the middle of an ingest, keeps what is finished and goes on at its next start', async () => {
  const corpus = new Corpus(world.path('docs'), random);
  await corpus.add(files);
  const { left } = await new Reference(world.path('reference')).sync([corpus.root]);
  let server = world.run();
  const id = await add(await server.url(), corpus.root);
  await someDone(await server.url(), id);
  const children = descendants(server.process.pid ?? 0);

  const { code } = await server.end('SIGTERM');
  assert.is(code, 0, server.stderr);
  assert.match(server.stderr, /"msg":"stopped"/);
  assert.equal(children.filter(isAlive), [], 'processes that are left');

  server = world.run();
  const url = await server.url();
  const again = await jobOf(url, id);
  assert.ok((again.succeeded_objects ?? 0) > 0, 'what was finished is kept');
  const job = await jobEnd(url, id);
  assert.equal([job.status, job.succeeded_objects], ['succeeded', files], JSON.stringify(job));
  assertSame(await snapshotOfHome(world.path('home')), left, 'after the next start');
});

test('an index folder that was deleted is filled again by a plain sync', async () => {
  const corpus = new Corpus(world.path('docs'), random);
  await corpus.add(60);
  const { left } = await new Reference(world.path('reference')).sync([corpus.root]);
  const first = world.run();
  await jobEnd(await first.url(), await add(await first.url(), corpus.root));
  await first.end('SIGTERM');
  await rm(world.path('home', 'index.lance'), { recursive: true });
  const url = await world.run().url();
  assert.is((await jobEnd(url, await add(url, corpus.root))).status, 'succeeded');
  assertSame(await snapshotOfHome(world.path('home')), left, 'after a sync');
});

/** Resolves when the job has finished a part of its objects. */
async function someDone(url: string, id: string): Promise<void> {
  const isDone = async () => ((await jobOf(url, id)).succeeded_objects ?? 0) > 0;
  await until(isDone, 'something is finished');
}

/** The processes that a process started, and those that they did. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [...children, ...children.flatMap(descendants)];
}

function parentOf(pid: string): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  return parentOf(String(pid)) !== null;
}

test.run();
