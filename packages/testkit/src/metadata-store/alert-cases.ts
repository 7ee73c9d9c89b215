import type { MetadataStore, NewAlert, QueuedAlert } from '@trove/core/store';

import { expect, expectEqual } from '../expect.js';
import { longLeaseMs, newConnector, pollUntil, shortLeaseMs, startJob } from './setup.js';
import type { MetadataStoreCase } from './subject.js';

const incident = { key: 'source:c1', code: 'timed_out', since: 1000 };
const channels = ['webhook', 'command'];

function newAlert(id: string, channel = 'webhook'): NewAlert {
  return { id, channel, body: { event: 'source_failing', detail: `Größe of ${id}` } };
}

async function claimAlert(
  store: MetadataStore,
  worker = 'w1',
  leaseMs = longLeaseMs,
): Promise<string | undefined> {
  return (await store.alerts.claim(worker, channels, leaseMs))?.id;
}

export const alertCases: readonly MetadataStoreCase[] = [
  {
    id: 'incident-once',
    parts: ['alerts'],
    title: 'opens an incident once, with its alerts',
    run: async ({ open }) => {
      const stores = await Promise.all([open(), open(), open()]);
      const [store] = stores;
      if (store === undefined) throw new Error('no store');
      const opened = await Promise.all(
        stores.map((each, at) => each.alerts.raise(incident, [newAlert(`a${at}`)])),
      );
      expectEqual(opened.filter(Boolean).length, 1, 'the successful calls');
      expectEqual(await store.alerts.incidents(), [incident], 'the open incidents');
      const claimed = await store.alerts.claim('w1', channels, longLeaseMs);
      const { createdAt, ...alert } = requireAlert(claimed);
      expectEqual(alert, { ...newAlert(alert.id), attempt: 1 }, 'the alert');
      expect(createdAt > Date.now() - longLeaseMs, 'createdAt is not in ms since 1970');
      expectEqual(await claimAlert(store), undefined, 'a second alert');
    },
  },
  {
    id: 'incident-resolved-once',
    parts: ['alerts'],
    title: 'closes an incident once, and can open it again',
    run: async ({ open }) => {
      const store = await open();
      expectEqual(await store.alerts.resolve(incident.key, [newAlert('a0')]), false, 'not open');
      await store.alerts.raise(incident, []);
      expectEqual(await store.alerts.resolve(incident.key, [newAlert('a1')]), true, 'open');
      expectEqual(await store.alerts.resolve(incident.key, [newAlert('a2')]), false, 'closed');
      expectEqual(await store.alerts.incidents(), [], 'the open incidents');
      expectEqual(await store.alerts.raise(incident, []), true, 'opening it again');
      expectEqual(await claimAlert(store), 'a1', 'the alert');
      expectEqual(await claimAlert(store), undefined, 'another alert');
    },
  },
  {
    id: 'incident-of-synced-source',
    parts: ['sources', 'jobs', 'alerts'],
    title: 'opens no incident of a source that was synced or removed since',
    run: async ({ open }) => {
      const store = await open();
      await store.sources.register(newConnector());
      const observed = { id: 'c1', lastSyncedAt: null };
      await startJob(store);
      await store.jobs.finish('j1', 'w1', { status: 'succeeded', problem: null });
      expectEqual(await store.alerts.raise(incident, [], observed), false, 'after a sync');
      const synced = (await store.sources.get('c1'))?.lastSyncedAt ?? null;
      const current = { id: 'c1', lastSyncedAt: synced };
      const removed = { ...current, id: 'c2' };
      expectEqual(await store.alerts.raise(incident, [], removed), false, 'of a missing source');
      expectEqual(await store.alerts.raise(incident, [], current), true, 'of this state');
    },
  },
  {
    id: 'alerts-in-order',
    parts: ['alerts'],
    title: 'claims alerts of an incident in order, for each channel',
    run: async ({ open }) => {
      const store = await open();
      await store.alerts.raise(incident, [newAlert('a1'), newAlert('a2', 'command')]);
      await store.alerts.resolve(incident.key, [newAlert('a3')]);
      await store.alerts.raise({ ...incident, key: 'other' }, [newAlert('a4')]);
      expectEqual(await claimAlert(store), 'a1', 'the first');
      expectEqual(await claimAlert(store), 'a2', 'that of the other channel');
      expectEqual(await claimAlert(store), 'a4', 'that of the other incident');
      expectEqual(await claimAlert(store), undefined, 'while the first is not delivered');
      await store.alerts.complete('a1', 'w1');
      expectEqual(await claimAlert(store), 'a3', 'after the first');
    },
  },
  {
    id: 'alert-channels',
    parts: ['alerts'],
    title: 'claims only alerts of the given channels',
    run: async ({ open }) => {
      const store = await open();
      await store.alerts.raise(incident, [newAlert('a1'), newAlert('a2', 'command')]);
      const claimed = await store.alerts.claim('w1', ['command'], longLeaseMs);
      expectEqual(claimed?.id, 'a2', 'the claimed alert');
      expectEqual(await store.alerts.claim('w1', ['command'], longLeaseMs), null, 'another');
    },
  },
  {
    id: 'alert-of-dead-worker',
    parts: ['alerts'],
    title: 'claims an alert again after its lease, and ignores its former worker',
    run: async ({ open }) => {
      const store = await open();
      await store.alerts.raise(incident, [newAlert('a1')]);
      await claimAlert(store, 'w1', shortLeaseMs);
      const again = await pollUntil(
        () => store.alerts.claim('w2', channels, longLeaseMs),
        'claiming it again',
      );
      expectEqual(again.attempt, 2, 'the attempts');
      await store.alerts.complete('a1', 'w1');
      await store.alerts.postpone('a1', 'w1', 0);
      expectEqual(await claimAlert(store, 'w3'), undefined, 'while the second worker holds it');
      await store.alerts.postpone('a1', 'w2', 0);
      expectEqual(await claimAlert(store, 'w3'), 'a1', 'the alert');
    },
  },
  {
    id: 'alert-postponed',
    parts: ['alerts'],
    title: 'does not claim a postponed alert before its time',
    run: async ({ open }) => {
      const store = await open();
      await store.alerts.raise(incident, [newAlert('a1')]);
      await claimAlert(store);
      await store.alerts.postpone('a1', 'w1', longLeaseMs);
      expectEqual(await claimAlert(store), undefined, 'a postponed alert');
    },
  },
];

function requireAlert(alert: QueuedAlert | null): QueuedAlert {
  if (alert === null) throw new Error('no alert was claimed');
  return alert;
}
