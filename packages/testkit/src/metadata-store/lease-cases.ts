import { expect, expectEqual } from '../expect.js';
import {
  claim,
  addToListing,
  longLeaseMs,
  newTask,
  queueJob,
  startJob,
  shortLeaseMs,
  pollUntil,
  waitForTasks,
  waitForTakeover,
  writtenResult,
} from './setup.js';
import type { MetadataStoreCase } from './subject.js';

export const leaseCases: readonly MetadataStoreCase[] = [
  {
    id: 'claim-oldest-job',
    parts: ['sources', 'jobs'],
    title: 'claims the oldest queued job, or returns null without one',
    run: async ({ open }) => {
      const store = await open();
      await queueJob(store, 'j2', 'c2');
      await queueJob(store, 'j1', 'c1');
      const first = await store.jobs.claim('w1', longLeaseMs);
      expectEqual([first?.id, first?.status, first?.attempt], ['j2', 'running', 1], 'the first');
      expect(typeof first?.startedAt === 'number', 'startedAt is missing');
      expectEqual(await store.jobs.get('j2'), first, 'the job, read again');
      expectEqual((await store.jobs.claim('w1', longLeaseMs))?.id, 'j1', 'the second');
      expectEqual(await store.jobs.claim('w1', longLeaseMs), null, 'no third');
    },
  },
  {
    id: 'running-jobs',
    parts: ['sources', 'jobs'],
    title: 'lists running jobs, oldest first',
    run: async ({ open }) => {
      const store = await open();
      for (const n of [3, 1, 2]) await queueJob(store, `j${n}`, `c${n}`);
      expectEqual(await store.jobs.running(), [], 'before any is claimed');
      for (const worker of ['w1', 'w2', 'w3']) await store.jobs.claim(worker, longLeaseMs);
      const ids = (await store.jobs.running()).map(({ id }) => id);
      expectEqual(ids, ['j3', 'j1', 'j2'], 'the running jobs');
    },
  },
  {
    id: 'claim-job-once',
    parts: ['sources', 'jobs'],
    title: 'gives each job to one of several concurrent workers',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open(), open()]);
      const [store] = stores;
      expect(store !== undefined, 'no store');
      await queueJob(store, 'j1', 'c1');
      await queueJob(store, 'j2', 'c2');
      const claims = stores.map((each, index) => each.jobs.claim(`w${index}`, longLeaseMs));
      const ids = (await Promise.all(claims)).flatMap((job) => (job === null ? [] : [job.id]));
      const left = await store.jobs.claim('w9', longLeaseMs);
      // A worker may get nothing while another one claims the same job, and then asks again.
      const all = left === null ? ids : [...ids, left.id];
      expectEqual(all.sort(), ['j1', 'j2'], 'the jobs claimed');
    },
  },
  {
    id: 'job-lease-runs-out',
    parts: ['sources', 'jobs'],
    title: 'gives a job with an expired lease to the next worker',
    run: async ({ open }) => {
      const store = await open();
      const first = await startJob(store, { leaseMs: shortLeaseMs });
      const job = await pollUntil(
        () => store.jobs.claim('w2', shortLeaseMs),
        'claiming a lost job',
      );
      expectEqual([job.id, job.attempt, job.status], ['j1', 2, 'running'], 'the job');
      expectEqual(job.startedAt, first.startedAt, 'when it was started');
      const again = await waitForTakeover(store, 'w2');
      expectEqual(
        [job.deaths, again.deaths],
        [1, 1],
        'deaths, and after its own worker claims it again',
      );
    },
  },
  {
    id: 'lost-job-cannot-compare',
    parts: ['sources', 'jobs', 'listings'],
    title: 'rejects comparisons of a worker that lost its job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      const given = new Map([['a', 'r']]);
      expectEqual(await store.listings.compare('j1', 'w1', given), null, 'comparing');
    },
  },
  {
    id: 'lost-job-cannot-add',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'rejects new tasks of a worker that lost its job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      expectEqual(await addToListing(store, { tasks: [newTask('a')] }), false, 'recording');
      expectEqual(await store.tasks.countOpen('j1'), 0, 'tasks');
    },
  },
  {
    id: 'lost-job-cannot-finish-listing',
    parts: ['sources', 'jobs', 'listings'],
    title: 'rejects the end of a listing by a worker that lost its job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      expectEqual(
        await store.listings.finish('j1', 'w1', { complete: true }),
        false,
        'ending the listing',
      );
      expectEqual((await store.jobs.get('j1'))?.listed, false, 'listed');
    },
  },
  {
    id: 'lost-job-cannot-finish',
    parts: ['sources', 'jobs'],
    title: 'rejects the end of a job by a worker that lost it',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: shortLeaseMs });
      await waitForTakeover(store);
      const end = { status: 'succeeded', problem: null } as const;
      expectEqual(await store.jobs.finish('j1', 'w1', end), false, 'ending the job');
      expectEqual((await store.jobs.get('j1'))?.status, 'running', 'the status');
    },
  },
  {
    id: 'expired-lease-is-lost',
    parts: ['sources', 'jobs', 'listings', 'tasks'],
    title: 'loses an expired lease even without a new worker',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: longLeaseMs });
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      await queueJob(store, 'j2', 'c2');
      await store.jobs.claim('w3', shortLeaseMs);
      // Granted later and for longer, so when this lease has expired, the other has too.
      await claim(store, { worker: 'w4', limit: 1, leaseMs: shortLeaseMs * 2 });
      await untilTasksFree(store);
      const recorded = await addToListing(
        store,
        { tasks: [newTask('c')] },
        { id: 'j2', worker: 'w3' },
      );
      expectEqual(recorded, false, 'recording');
    },
  },
  {
    id: 'expired-lease-is-not-renewed',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'does not renew an expired lease',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { leaseMs: longLeaseMs });
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      await queueJob(store, 'j2', 'c2');
      await store.jobs.claim('w3', shortLeaseMs);
      await claim(store, { worker: 'w4', limit: 1, leaseMs: shortLeaseMs * 2 });
      await untilTasksFree(store);
      expectEqual(await store.leases.renew('w3', longLeaseMs), [], 'the jobs it still holds');
      expectEqual((await store.jobs.claim('w5', longLeaseMs))?.id, 'j2', 'the next claim');
    },
  },
  {
    id: 'renewal-keeps-jobs',
    parts: ['sources', 'jobs', 'leases'],
    title: 'renews the leases of all jobs of a worker and returns the jobs',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store, { id: 'j1', connectorId: 'c1', leaseMs: renewedMs });
      expectEqual(await store.leases.renew('w1', longLeaseMs), ['j1'], 'the first');
      await startJob(store, { id: 'j2', connectorId: 'c2', leaseMs: renewedMs });
      expectEqual(await store.leases.renew('w1', longLeaseMs), ['j1', 'j2'], 'both');
      await startJob(store, { id: 'j3', connectorId: 'c3', worker: 'w3', leaseMs: renewedMs });
      // Granted last, so the others would have expired before it.
      expectEqual((await waitForTakeover(store)).id, 'j3', 'the job whose lease expired');
      expectEqual(await store.jobs.claim('w2', longLeaseMs), null, 'another one');
    },
  },
  {
    id: 'renewal-keeps-tasks',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'renews the leases of all tasks of a worker, regardless of the job',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const [kept] = await claim(store, { worker: 'w3', limit: 1, leaseMs: renewedMs });
      expectEqual(await store.leases.renew('w3', longLeaseMs), [], 'the jobs it holds');
      await claim(store, { worker: 'w4', limit: 1, leaseMs: renewedMs });
      const paths = (await waitForTasks(store)).map(({ path }) => path);
      expectEqual(paths, ['b'], 'tasks whose lease expired');
      expect(kept !== undefined, 'no task');
      expectEqual(
        await store.tasks.complete('w3', [writtenResult(kept)]),
        [kept.id],
        'the renewed task',
      );
    },
  },
  {
    id: 'release-worker',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'queues released jobs and tasks for the next claim',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      await claim(store);
      await store.leases.release('w1');
      expectEqual((await store.jobs.get('j1'))?.status, 'queued', 'the job');
      expectEqual((await store.jobs.claim('w2', longLeaseMs))?.id, 'j1', 'claiming it');
      expectEqual((await claim(store, { worker: 'w2' })).length, 1, 'claiming its task');
    },
  },
  {
    id: 'release-is-no-attempt',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'does not count a released task as attempted',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      await claim(store, { worker: 'w2' });
      await store.leases.release('w2');
      const [task] = await claim(store);
      expectEqual(task?.attempt, 0, 'attempts');
    },
  },
  {
    id: 'deaths-of-tasks',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'returns tasks of dead workers last, limited by their number of deaths',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: 'abcdefgh'.split('').map((path) => newTask(path)) });
      const next = async (worker: string, limit: readonly number[]): Promise<string> => {
        const tasks = await claim(store, { worker, limit });
        return tasks.map(({ path, attempt, deaths }) => `${path}${attempt}${deaths}`).join(' ');
      };
      expectEqual(await next('w2', [4]), 'a00 b00 c00 d00', 'untried tasks');
      await store.listings.finish('j1', 'w1', { complete: true });
      await store.leases.release('w2', { died: true });
      expectEqual(await next('w3', [8, 9]), 'e00 f00 g00 h00', 'tasks without deaths');
      expectEqual(await next('w3', [16, 2, 1]), 'a11 b11', 'as many tasks with one death');
      await store.leases.release('w3', { died: true });
      expectEqual(await next('w4', [32, 4]), 'c11 d11 e11 f11', 'the fewest deaths first');
      expectEqual(await next('w4', [16, 2]), 'g11 h11', 'the rest of them');
      expectEqual(await next('w4', [16, 1]), 'a22', 'the last limit for more deaths');
    },
  },
  {
    id: 'deaths-of-a-job',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'counts deaths of workers with a job or tasks, but not releases',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a')] });
      await startJob(store, { id: 'j2', connectorId: 'c2', worker: 'w2' });
      await claim(store, { worker: 'w3' });
      const deaths = async () => (await store.jobs.get('j1'))?.deaths;
      await store.leases.release('w3');
      await store.leases.release('w2', { died: true });
      expectEqual(await deaths(), 0, 'without a death');
      await claim(store, { worker: 'w3' });
      await store.leases.release('w3', { died: true });
      expectEqual(await deaths(), 1, 'after the death of a worker with tasks');
      await store.leases.release('w1', { died: true });
      expectEqual(await deaths(), 2, 'after the death of the leading worker');
    },
  },
  {
    id: 'progress-forgets-deaths',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'resets the deaths of a job after a listing and a successful task',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      const dies = async (worker: string) => {
        await store.leases.release(worker, { died: true });
        await store.jobs.claim(`${worker}+`, longLeaseMs);
        return (await store.jobs.get('j1'))?.deaths;
      };
      expectEqual(await dies('w1'), 1, 'deaths');
      await store.listings.finish('j1', 'w1+', { complete: true });
      expectEqual(await dies('w1+'), 1, 'deaths after the listing');
      const [a, b] = await claim(store, { worker: 'w1++' });
      expect(a !== undefined && b !== undefined, 'two tasks were expected');
      await store.tasks.complete('w1++', [{ taskId: a.id, outcome: 'failed' }]);
      expectEqual((await store.jobs.get('j1'))?.deaths, 1, 'deaths after a failure');
      await store.tasks.complete('w1++', [writtenResult(b)]);
      expectEqual((await store.jobs.get('j1'))?.deaths, 0, 'deaths after a success');
    },
  },
  {
    id: 'lease-holders',
    parts: ['sources', 'jobs', 'listings', 'tasks', 'leases'],
    title: 'lists the holders of unexpired leases of jobs and tasks',
    run: async ({ open }) => {
      const store = await open();
      await startJob(store);
      await addToListing(store, { tasks: [newTask('a'), newTask('b')] });
      await claim(store, { worker: 'w2', limit: 1 });
      await claim(store, { worker: 'w3', limit: 1, leaseMs: shortLeaseMs });
      await waitForTasks(store, { worker: 'w2' });
      expectEqual((await store.leases.holders()).sort(), ['w1', 'w2'], 'the holders');
      await store.leases.release('w1');
      expectEqual(await store.leases.holders(), ['w2'], 'after one released its leases');
    },
  },
];

/** Short, but long enough to be renewed in time on a slow machine. */
const renewedMs = 3000;

/** Waits until the only task with a short lease is free again. */
async function untilTasksFree(store: Parameters<typeof claim>[0]): Promise<void> {
  await claim(store, { worker: 'w5', limit: 1 });
  await waitForTasks(store, { worker: 'w5' });
}
