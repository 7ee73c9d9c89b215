import { join } from 'node:path';

import type { MetadataStore, NewTask, TaskRecord } from '@trove/core/store';
import { silentLogger } from '@trove/core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { openDatabase } from '../src/settings.js';
import { indexedObject } from './stored-object.js';
import { withFolder } from '@trove/test-support/with-folder.js';
import { openStore, type Backend } from './support.js';

const test = suite('several workers');
const workerIds = ['w0', 'w1', 'w2', 'w3'];
const jobCount = 3;
const taskCount = 150;
const leaseMs = 600_000;
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

test('shares three jobs among four workers on PostgreSQL without deadlock', async () => {
  const dsn = await postgres.createDatabase();
  const backend = { backend: 'postgres', config: { dsn } };
  await shareJobs(backend);
  const database = await openDatabase('postgres', { dsn }, silentLogger);
  const [row] = await database.all(
    'select deadlocks from pg_stat_database where datname = current_database()',
  );
  assert.is(row?.['deadlocks'], 0);
  await database.close();
});

test('shares three jobs among four workers on SQLite', () =>
  withFolder((folder) =>
    shareJobs({ backend: 'sqlite', config: { path: join(folder, 'data.db') } }),
  ));

/** Lists, claims, completes, renews and releases concurrently. Repeated or lost work shows in the counts. */
async function shareJobs(backend: Backend): Promise<void> {
  const stores = await Promise.all(workerIds.map(() => openStore(backend)));
  const [store] = stores;
  assert.ok(store);
  const jobs = Array.from({ length: jobCount }, (_, index) => `j${index}`);
  for (const id of jobs) await startListing(store, id);
  const done = new Map<number, number>();
  const noteDone = (id: number) => done.set(id, (done.get(id) ?? 0) + 1);
  await Promise.all([
    ...jobs.map((id) => list(store, id)),
    ...stores.map((each, index) => work(each, workerIds[index] ?? '', jobs, noteDone)),
  ]);
  assert.is(done.size, jobCount * taskCount);
  assert.equal(new Set(done.values()), new Set([1]));
  for (const id of jobs) {
    const job = await store.jobs.get(id);
    assert.equal([job?.total, job?.added], [taskCount, taskCount]);
    assert.ok(await store.jobs.finish(id, 'lister', { status: 'succeeded', problem: null }));
  }
  await Promise.all(stores.map((each) => each.close()));
}

async function startListing(store: MetadataStore, id: string): Promise<void> {
  const connectorId = `c-${id}`;
  await store.sources.register({
    id: connectorId,
    rootUri: `file://local/${id}`,
    type: 'file',
    config: null,
  });
  const how = { opKind: 'sync', trigger: 'manual', full: false, since: null };
  await store.jobs.create({ id, connectorId, ...how });
  await store.jobs.claim('lister', leaseMs);
}

async function list(store: MetadataStore, id: string): Promise<void> {
  for (let from = 0; from < taskCount; from += 10) {
    const tasks = Array.from({ length: 10 }, (_, index) => newTask(id, from + index));
    await store.listings.addTasks(id, 'lister', shuffled(tasks));
    await store.leases.renew('lister', leaseMs);
  }
  await store.listings.finish(id, 'lister', { complete: true });
}

/** Takes tasks of all jobs until none are left. Completes some and releases the others now and then. */
async function work(
  store: MetadataStore,
  worker: string,
  jobs: readonly string[],
  noteDone: (id: number) => void,
): Promise<void> {
  for (let round = 0; ; round += 1) {
    const claims = await Promise.all(
      shuffled(jobs).map((id) => store.tasks.claim(id, worker, [5], leaseMs)),
    );
    const tasks = shuffled(claims.flat());
    if (tasks.length === 0 && (await isAllDone(store, jobs))) return;
    const kept = round % 5 === 4 ? tasks.slice(0, 3) : tasks;
    const [completed] = await Promise.all([
      store.tasks.complete(
        worker,
        kept.map((task) => completion(task)),
      ),
      store.leases.renew(worker, leaseMs),
    ]);
    for (const id of completed) noteDone(id);
    await store.leases.release(worker);
  }
}

async function isAllDone(store: MetadataStore, jobs: readonly string[]): Promise<boolean> {
  for (const id of jobs) {
    const job = await store.jobs.get(id);
    if (!job?.listed || (await store.tasks.countOpen(id)) > 0) return false;
  }
  return true;
}

function newTask(job: string, index: number): NewTask {
  const path = `${job}/${index}`;
  const entry = { path, size: 1, modifiedAt: 1, fingerprint: 'f' };
  return { objectId: path, path, op: 'upsert', entry, fromObjectId: null, priority: index % 3 };
}

function completion(task: TaskRecord): Parameters<MetadataStore['tasks']['complete']>[1][number] {
  return {
    taskId: task.id,
    outcome: 'added',
    put: [
      {
        ...indexedObject,
        id: task.objectId,
        connectorId: `c-${task.jobId}`,
        path: task.path,
        revision: 'r',
      },
    ],
  };
}

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value);
}

test.run();
