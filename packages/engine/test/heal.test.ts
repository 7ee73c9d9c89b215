// test-waits
import type { Collection, IndexRow } from '@trove/core/index';
import type { MetadataStore, NewTask } from '@trove/core/store';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maxWaitMs, waitUntil } from '@trove/test-support/waiting.js';
import { failureOf } from '../src/ingest/tasks/task-results.js';
import { found, root, sync, World } from './support/engine.js';

/* States after a worker died between the index and the store, and after the index was deleted. */

interface Context {
  world: World;
  engine: Engine;
}

const test = suite<Context>('healing');
const live = { signal: new AbortController().signal };

test.before.each(async (context) => {
  context.world = new World();
  context.engine = await context.world.open();
  for (const name of ['a', 'b', 'c']) context.world.source.set(`${name}.md`, `fruit of ${name}`);
  await sync(context.engine);
});

test.after.each(async ({ world, engine }) => {
  await engine.close();
  await world.database.close();
});

function indexOf(world: World): Collection {
  const [collection] = world.storage.collections.values();
  if (collection === undefined) throw new Error('no collection');
  return collection;
}

/** Opens the store like another process. */
function open(world: World): Promise<MetadataStore> {
  return world.database.open('default', { embedding: 'memory/64', dimension: 64 });
}

/** Returns the rows of the object at a path. */
async function rowsOf(world: World, path: string): Promise<IndexRow[]> {
  for (const group of await groupsOf(world)) {
    const rows = await indexOf(world).rows(group);
    if (rows[0]?.source === `${root}/${path}`) return rows;
  }
  return [];
}

async function groupsOf(world: World): Promise<string[]> {
  const { sparse } = await indexOf(world).search({
    sparse: { terms: ['fruit'], pairs: [] },
    pairWeight: 0,
    candidates: 100,
    ...live,
  });
  const rows = await indexOf(world).identify(sparse.map(({ key }) => key));
  return [...new Set(rows.flatMap((row) => row?.group ?? []))];
}

test('the next sync deletes rows of unknown objects', async ({ world, engine }) => {
  const orphan = (await rowsOf(world, 'a.md')).map((row) => ({
    ...row,
    id: `orphan of ${row.id}`,
    group: 'orphan',
    content: 'fruit of nobody',
    source: `${root}/gone.md`,
  }));
  await indexOf(world).replace([{ group: 'orphan', rows: orphan }], live);
  assert.is((await found(engine, 'fruit')).length, 4);
  assert.is((await sync(engine)).status, 'succeeded');
  assert.equal((await found(engine, 'fruit')).sort(), ['a', 'b', 'c'].map(at));
});

test('the next sync restores only the missing rows', async ({ world, engine }) => {
  const [lost] = await rowsOf(world, 'b.md');
  await indexOf(world).replace([{ group: lost?.group ?? '', rows: [] }], live);
  assert.is((await found(engine, 'fruit')).length, 2);
  const job = await sync(engine);
  assert.equal([job.status, job.succeeded_objects, job.skipped_objects], ['succeeded', 1, 2]);
  assert.equal((await found(engine, 'fruit')).sort(), ['a', 'b', 'c'].map(at));
  assert.equal(await rowsOf(world, 'b.md'), [lost]);
});

test('the next sync fills a deleted index', async ({ world, engine }) => {
  await engine.close();
  world.storage.collections.clear();
  const again = await world.open();
  try {
    assert.equal(await found(again, 'fruit'), []);
    assert.is((await sync(again)).succeeded_objects, 3);
    assert.equal((await found(again, 'fruit')).sort(), ['a', 'b', 'c'].map(at));
  } finally {
    await again.close();
  }
});

test('a partly written rename is embedded again', async ({ world, engine }) => {
  const old = await rowsOf(world, 'a.md');
  // The old rows are gone, and the new ones are not recorded.
  world.source.pause = async () => {
    world.source.pause = async () => {};
    await indexOf(world).replace([{ group: old[0]?.group ?? '', rows: [] }], live);
  };
  world.source.rename('a.md', 'z.md');
  assert.is((await sync(engine)).status, 'succeeded');
  const rows = await rowsOf(world, 'z.md');
  assert.is(rows.length, old.length);
  assert.not(rows.some(({ vector }) => vector === null));
  assert.equal((await found(engine, 'fruit')).sort(), ['b', 'c', 'z'].map(at));
});

test('rows of a lost task are written again by the next sync', async ({ world, engine }) => {
  const store = await open(world);
  let goOn = (): void => {};
  world.faults.hold = new Promise((resolve) => (goOn = resolve));
  world.source.set('d.md', 'fruit of d');
  const { job_id: id } = await engine.add({ target: root });
  const isRead = new Promise<void>((resolve) => {
    world.source.pause = async () => {
      if ((await store.tasks.countOpen(id)) > 0) resolve();
    };
  });
  engine.startWorker();
  await isRead;

  const [worker = ''] = await store.leases.holders();
  await store.leases.release(worker, { died: true });
  await store.jobs.claim('another', 60_000);
  const [task] = await store.tasks.claim(id, 'another', [1], 60_000);
  const [connector] = await store.sources.list();
  const [known] = await store.objects.findByPath(connector?.id ?? '', ['a.md']);
  assert.ok(task && known);
  const put = [{ ...known, id: task.objectId, path: 'd.md' }];
  await store.tasks.complete('another', [{ taskId: task.id, outcome: 'added', put }]);

  const revision = async (): Promise<string | null | undefined> =>
    (await store.objects.findByPath(known.connectorId, ['d.md']))[0]?.revision;
  assert.ok(await revision());
  goOn();
  await waitUntil(
    async () => (await revision()) === null,
    'the object no longer counts as up to date',
  );
  await store.jobs.finish(id, 'another', { status: 'succeeded', problem: null });
});

test('a worker that stops helping with a job gives its tasks back', async ({ world, engine }) => {
  // Objects of unknown size run a few at a time, which leaves work for the other worker.
  for (let n = 0; n < 150; n++) world.source.set(`${n}`, [{ key: { n }, fields: { n } }]);
  const other = Object.assign(new World(), {
    source: world.source,
    storage: world.storage,
    store: world.store,
  });
  const failing = await other.open();
  try {
    let goOn = (): void => {};
    world.faults.hold = new Promise((resolve) => (goOn = resolve));
    other.faults.failure = 'auth';
    engine.startWorker();
    const { job_id: id } = await engine.add({ target: root });
    failing.startWorker();
    const failed = async () => (await engine.job(id)).failed_objects ?? 0;
    await waitUntil(async () => (await failed()) > 0, 'the other fails');
    goOn();
    const job = await engine.waitForJob(id, { signal: AbortSignal.timeout(maxWaitMs) });
    assert.is(job.status, 'partial', JSON.stringify(job));
    assert.is(job.failures[0]?.code, 'embedding_auth_failed');
  } finally {
    await failing.close();
  }
});

test('a job with five fatal objects is set aside', async ({ world, engine }) => {
  for (let n = 0; n < 6; n++) world.source.set(`${n}.md`, `new ${n}`);
  const store = await open(world);
  const { job_id: id } = await engine.add({ target: root });
  const paths = ['v', 'w', 'x', 'y', 'z'];
  await store.jobs.claim('first', 60_000);
  await store.listings.addTasks(id, 'first', paths.map(dying));
  for (const { id: taskId } of await store.tasks.claim(id, 'first', [10], 60_000)) {
    const failure = { code: 'process_died', error: 'given up' };
    await store.tasks.complete('first', [{ taskId, outcome: 'failed', failure }]);
  }
  await store.leases.release('first', { died: true });
  for (const worker of ['second', 'third']) {
    await store.jobs.claim(worker, 60_000);
    await store.leases.release(worker);
  }
  engine.startWorker();
  const job = await engine.waitForJob(id, { signal: AbortSignal.timeout(maxWaitMs) });
  assert.equal([job.status, job.error], ['failed', 'process_died']);
  assert.match(job.detail ?? '', 'on 5 of its objects');
});

test('after a death, tasks run only when the listing is complete', async ({ world, engine }) => {
  const store = await open(world);
  const { job_id: id } = await engine.add({ target: root });
  await store.jobs.claim('first', 60_000);
  await store.listings.addTasks(id, 'first', ['x', 'y'].map(dying));
  await store.leases.release('first', { died: true });
  let polls = 0;
  const create: typeof world.store.create = async (context) => {
    const made = await world.store.create(context);
    const running = made.jobs.running.bind(made.jobs);
    made.jobs.running = () => {
      polls++;
      return running();
    };
    return made;
  };
  const counted = Object.assign(new World(), world, { store: { ...world.store, create } });
  let openTasks = 0;
  world.source.pause = async () => {
    world.source.pause = async () => {};
    // Each poll of the queue is followed by a claim and the next poll.
    const enough = polls + 3;
    await waitUntil(() => polls >= enough, 'the queue is polled');
    openTasks = await store.tasks.countOpen(id);
  };
  const again = await counted.open();
  try {
    again.startWorker();
    const job = await again.waitForJob(id, { signal: AbortSignal.timeout(maxWaitMs) });
    assert.equal([job.status, openTasks], ['succeeded', 2]);
  } finally {
    await again.close();
  }
});

test('deaths of workers do not count as retries of an object', () => {
  const task = { ...dying('a.md'), id: 1, jobId: 'j', attempt: 5, deaths: 3, checkpoint: null };
  const outcome = (attempt: number) => failureOf({ ...task, attempt }, new Error('lost')).outcome;
  assert.equal([outcome(5), outcome(6)], ['retry', 'failed']);
});

function dying(path: string): NewTask {
  return { objectId: path, path, op: 'upsert', entry: null, fromObjectId: null, priority: 0 };
}

const at = (name: string): string => `${root}/${name}.md`;

test.run();
