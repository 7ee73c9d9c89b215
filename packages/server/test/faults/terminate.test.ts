// test-timeout: 300
// test-slow
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { seededRandom } from '@trove/test-support/random.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { add, addWhenFree, jobEnd, jobOf } from './support/api.js';
import { Corpus } from './support/corpus.js';
import { assertSame } from './support/snapshot.js';
import { dropGeneration, Reference, snapshotOfHome, World } from './support/world.js';

const files = 400;

const test = suite('stopping a server');
const random = seededRandom('stopping a server');
let world: World;

test.before.each(async () => {
  world = await World.make();
});
test.after.each(() => world.remove());

test('stops during an ingest, keeps finished work and continues after a restart', async () => {
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
  await waitUntil(() => !children.some(isRunning), 'the processes that it started end too');

  server = world.run();
  const url = await server.url();
  const again = await jobOf(url, id);
  assert.ok((again.succeeded_objects ?? 0) > 0, 'what was finished is kept');
  const job = await jobEnd(url, id);
  assert.equal([job.status, job.succeeded_objects], ['succeeded', files], JSON.stringify(job));
  assertSame(await snapshotOfHome(world.path('home')), left, 'after the next start');
});

test('a server whose index was dropped exits with an error, and the next one rebuilds it', async () => {
  const corpus = new Corpus(world.path('docs'), random);
  await corpus.add(3);
  const server = world.run();
  await jobEnd(await server.url(), await add(await server.url(), corpus.root));
  assert.is(await dropGeneration(world.path('home')), true);
  const { code } = await server.exited;
  assert.is(code, 1, server.stderr);
  assert.match(server.stderr, 'Restart the process. It then indexes all sources again.');
  const url = await world.run().url();
  assert.is((await jobEnd(url, await add(url, corpus.root))).status, 'succeeded');
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
  assert.is((await jobEnd(url, await addWhenFree(url, corpus.root))).status, 'succeeded');
  assertSame(await snapshotOfHome(world.path('home')), left, 'after a sync');
});

/** Waits until the job has done some of its objects. */
async function someDone(url: string, id: string): Promise<void> {
  const isDone = async () => ((await jobOf(url, id)).succeeded_objects ?? 0) > 0;
  await waitUntil(isDone, 'something is finished');
}

/** A process, identified by its id and start time, because ids are reused. */
interface Process {
  readonly pid: number;
  readonly startedAt: string;
}

/** Returns the descendants of a process. */
function descendants(pid: number): Process[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), stat: statOf(Number(name)) }))
    .filter(({ stat }) => stat?.parent === pid);
  const started = children.map((child) => ({
    pid: child.pid,
    startedAt: child.stat?.startedAt ?? '',
  }));
  return [...started, ...started.flatMap((child) => descendants(child.pid))];
}

/** A zombie process (`Z`) does not run. */
function isRunning({ pid, startedAt }: Process): boolean {
  const stat = statOf(pid);
  return stat?.startedAt === startedAt && stat.state !== 'Z';
}

/** Returns fields of `/proc/PID/stat`, or null for a process that has ended. */
function statOf(pid: number): { state: string; parent: number; startedAt: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? '', parent: Number(fields[1]), startedAt: fields[19] ?? '' };
  } catch {
    return null;
  }
}

test.run();
