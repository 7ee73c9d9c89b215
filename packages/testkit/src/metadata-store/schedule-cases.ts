import type { ConnectorRecord, MetadataStore } from '@trove/core/store';

import { expect, expectEqual, expectError } from '../expect.js';
import { longLeaseMs, newConnector, newJob, queueJob, startJob, unhealthy } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const succeeded = { status: 'succeeded', problem: null } as const;
const due = { at: 1000, next: 2000 };

export const scheduleCases: readonly MetadataStoreCase[] = [
  {
    id: 'plan-once',
    parts: ['sources'],
    title: 'keeps the planned sync of a connector',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.planSync('c1', 1000);
      await store.sources.planSync('c1', 2000);
      expectEqual((await sourceOf(store)).nextSyncAt, 1000, 'the planned time');
    },
  },
  {
    id: 'list-due',
    parts: ['sources', 'jobs'],
    title: 'lists the connectors whose sync is due, the earliest first',
    run: async ({ open }) => {
      const store = await open();
      const times = { late: 3000, first: 1000, second: 2000 };
      await store.sources.register(newConnector('unplanned'));
      for (const [id, time] of Object.entries(times)) {
        await store.sources.register(newConnector(id));
        await store.sources.planSync(id, time);
      }
      await store.jobs.create(newJob('j1', 'second'));
      const idsDue = async (time: number): Promise<string[]> =>
        (await store.sources.listDue(time)).map(({ id }) => id);
      expectEqual(await idsDue(2000), ['first', 'second'], 'the due connectors');
      expectEqual(await idsDue(999), [], 'the due connectors before the first time');
    },
  },
  {
    id: 'list-failing',
    parts: ['sources', 'jobs'],
    title: 'lists the connectors whose last sync failed',
    run: async ({ open }) => {
      const store = await open();
      for (const id of ['c1', 'c2']) await store.sources.register(newConnector(id));
      await store.sources.reportProblem('c2', unhealthy.problem);
      const idsFailing = async (): Promise<string[]> =>
        (await store.sources.listFailing()).map(({ id }) => id);
      expectEqual(await idsFailing(), [], 'the connectors without a failed sync');
      await endJob(store, 'j1', unhealthy);
      expectEqual(await idsFailing(), ['c1'], 'the connectors with a failed sync');
      await endJob(store, 'j2');
      expectEqual(await idsFailing(), [], 'the connectors after a success');
    },
  },
  {
    id: 'list-watched',
    parts: ['sources'],
    title: 'lists the connectors that are watched',
    run: async ({ open }) => {
      const store = await open();
      const configs = { c1: null, c2: { watch: true, every: '1d' }, c3: { watch: false } };
      const nested = { rules: { watch: true } };
      for (const [id, config] of Object.entries({ ...configs, c4: nested }))
        await store.sources.register({ ...newConnector(id), config });
      const idsWatched = async (): Promise<string[]> =>
        (await store.sources.listWatched()).map(({ id }) => id).sort();
      expectEqual(await idsWatched(), ['c2'], 'the watched connectors');
      await store.sources.configure('c2', null);
      await store.sources.configure('c3', { watch: true });
      expectEqual(await idsWatched(), ['c3'], 'the watched connectors after changes');
    },
  },
  {
    id: 'generation-keeps-schedule',
    parts: ['sources', 'jobs'],
    title: 'keeps the planned sync and the failures of a connector in a new generation',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.planSync('c1', 1000);
      await endJob(store, 'j1', unhealthy);
      const other = await open('default', { embedding: 'other/1', dimension: 4 });
      const { failures, failingSince, lastError, nextSyncAt } = await sourceOf(store);
      const copy = await sourceOf(other);
      expectEqual(copy.nextSyncAt, nextSyncAt, 'the planned time');
      expectEqual(
        [copy.failures, copy.failingSince, copy.lastError],
        [failures, failingSince, lastError],
        'the failures',
      );
    },
  },
  {
    id: 'due-sync-once',
    parts: ['sources', 'jobs'],
    title: 'queues a due sync once and plans the next one',
    run: async ({ open }) => {
      const [store, other] = await Promise.all([open(), open()]);
      await store.sources.register(newConnector());
      const early = store.jobs.create(newJob('j0', 'c1', { due }));
      await expectError(early, 'sync_already_running', 'a sync that is not planned');
      await store.sources.planSync('c1', due.at);
      await store.jobs.create(newJob('j1', 'c1', { due }));
      expectEqual((await sourceOf(store)).nextSyncAt, due.next, 'the next time');
      await endJob(store, 'j1');
      const again = other.jobs.create(newJob('j2', 'c1', { due }));
      await expectError(again, 'sync_already_running', 'the same sync again');
      expectEqual(await store.jobs.get('j2'), null, 'the second job');
    },
  },
  {
    id: 'due-sync-waits',
    parts: ['sources', 'jobs'],
    title: 'keeps a due sync planned while another job is live',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.planSync('c1', due.at);
      await queueJob(store);
      const beside = store.jobs.create(newJob('j2', 'c1', { due }));
      await expectError(beside, 'sync_already_running', 'a sync beside a live one');
      expectEqual((await sourceOf(store)).nextSyncAt, due.at, 'the planned time');
    },
  },
  {
    id: 'config-removes-plan',
    parts: ['sources', 'jobs'],
    title: 'removes the planned sync with a new configuration',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      await store.sources.planSync('c1', 1000);
      await store.jobs.create(newJob('j1', 'c1', { config: { a: 1 } }));
      expectEqual((await sourceOf(store)).nextSyncAt, null, 'the planned time');
    },
  },
  {
    id: 'configure-keeps-cursor',
    parts: ['sources', 'jobs', 'listings'],
    title: 'replaces a configuration without a job, and keeps the cursor',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector('c1', { config: { a: 1 } }));
      await startJob(store);
      await store.listings.finish('j1', 'w1', { complete: true, state: { at: 1 } });
      await store.jobs.finish('j1', 'w1', succeeded);
      await store.sources.planSync('c1', 1000);
      await store.sources.configure('c1', { a: 1, every: '1h' });
      const { config, state, nextSyncAt } = await sourceOf(store);
      expectEqual(config, { a: 1, every: '1h' }, 'the configuration');
      expectEqual(state, { at: 1 }, 'the cursor');
      expectEqual(nextSyncAt, null, 'the planned time');
    },
  },
  {
    id: 'claim-except-trigger',
    parts: ['sources', 'jobs'],
    title: 'does not claim jobs with an excluded trigger',
    run: async ({ open }) => {
      const store = await open();
      for (const [id, trigger] of [
        ['1', 'schedule'],
        ['2', 'manual'],
      ] as const) {
        await store.sources.register(newConnector(`c${id}`));
        await store.jobs.create(newJob(`j${id}`, `c${id}`, { trigger }));
      }
      const claimed = async (exceptTrigger?: string): Promise<string | undefined> => {
        const options = exceptTrigger === undefined ? {} : { exceptTrigger };
        return (await store.jobs.claim('w1', longLeaseMs, options))?.id;
      };
      expectEqual(await claimed('schedule'), 'j2', 'the first claim');
      expectEqual(await claimed('schedule'), undefined, 'the second claim');
      expectEqual(await claimed(), 'j1', 'a claim of any job');
    },
  },
  {
    id: 'failures-counted',
    parts: ['sources', 'jobs'],
    title: 'counts failed syncs until one succeeds, and keeps the last error',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      const { detail } = unhealthy.problem;
      await store.sources.reportProblem('c1', { code: 'timed_out', detail });
      const reported = await sourceOf(store);
      expectEqual(reported.failures, 0, 'the failures after a report');
      expect(reported.failingSince !== null, 'failingSince is null after a report');
      expectEqual(reported.lastError?.at, reported.failingSince, 'the time of the report');
      for (const id of ['j1', 'j2']) await endJob(store, id, unhealthy);
      const failing = await sourceOf(store);
      expectEqual(failing.failures, 2, 'the failures');
      expectEqual(failing.failingSince, reported.failingSince, 'the start of the failures');
      const { at, ...error } = failing.lastError ?? { at: 0 };
      expectEqual(error, unhealthy.problem, 'the last error');
      expect(at >= (reported.failingSince ?? 0), 'the last error is older than the first');
      await endJob(store, 'j3', { status: 'partial', problem: null });
      const healthy = await sourceOf(store);
      expectEqual([healthy.failures, healthy.failingSince], [0, null], 'after a success');
      expectEqual(healthy.lastError, failing.lastError, 'the last error after a success');
    },
  },
];

async function sourceOf(store: MetadataStore): Promise<ConnectorRecord> {
  const source = await store.sources.get('c1');
  if (source === null) throw new Error('the connector c1 is missing');
  return source;
}

/** Creates the job if it does not exist, and ends it. */
async function endJob(
  store: MetadataStore,
  id: string,
  outcome: Parameters<MetadataStore['jobs']['finish']>[2] = succeeded,
): Promise<void> {
  if ((await store.jobs.get(id)) === null) await store.jobs.create(newJob(id, 'c1'));
  await store.jobs.claim('w1', longLeaseMs);
  await store.jobs.finish(id, 'w1', outcome);
}
