import { Client } from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { silentLogger } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';
import { waitUntil } from '@trove/test-support/waiting.js';
import { startPostgres } from '@trove/test-support/postgres.js';
import { openDatabase } from '../src/settings.js';
import { indexedObject } from './stored-object.js';
import { openStore } from './support.js';

const test = suite('objects that become stale while a job begins');
const leaseMs = 600_000;
const how = { opKind: 'sync', trigger: 'manual', full: false, since: null, connectorId: 'c1' };
const waiting = `select pid from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
const revisions = new Map([['a', 'r1']]);

const object = { ...indexedObject, id: 'a', connectorId: 'c1', path: 'a', revision: 'r1' };

test('does not save what a job lists during an invalidation as unchanged', async () => {
  const postgres = await startPostgres();
  const dsn = await postgres.createDatabase();
  const config = { dsn };
  const stores = [
    await openStore({ backend: 'postgres', config }),
    await openStore({ backend: 'postgres', config }),
  ] as const;
  const [store, other] = stores;
  const database = await openDatabase('postgres', config, silentLogger);
  const holder = new Client({ connectionString: dsn });
  await holder.connect();
  try {
    await store.sources.register({
      id: 'c1',
      rootUri: 'file://local/',
      type: 'file',
      config: null,
    });
    await indexed(store);
    // The invalidation waits for this lock.
    await holder.query('begin');
    await holder.query('select * from trove_objects for update');
    const marked = other.objects.invalidate('c1', ['a']);
    const wait = async (): Promise<number> => (await database.all(waiting)).length;
    await waitUntil(async () => (await wait()) === 1, 'the object to be waited for');
    let isListed = false;
    const meanwhile = listed(store, 'j1').then(() => (isListed = true));
    await waitUntil(async () => isListed || (await wait()) === 2, 'the job to end or to wait');
    await holder.query('commit');
    await Promise.all([marked, meanwhile]);
    await begun(store, 'j2');
    const difference = await store.listings.compare('j2', 'w', revisions);
    assert.equal(difference, { changed: ['a'], added: [] });
  } finally {
    await holder.end();
    await database.close();
    for (const each of stores) await each.close();
    await postgres.stop();
  }
});

async function begun(store: MetadataStore, id: string): Promise<void> {
  await store.jobs.create({ id, ...how });
  await store.jobs.claim('w', leaseMs);
}

async function listed(store: MetadataStore, id: string): Promise<void> {
  await begun(store, id);
  await store.listings.compare(id, 'w', revisions);
  await store.listings.finish(id, 'w', { complete: true });
  await store.jobs.finish(id, 'w', { status: 'succeeded', problem: null });
}

async function indexed(store: MetadataStore): Promise<void> {
  await begun(store, 'j0');
  const entry = { path: 'a', size: 1, modifiedAt: 1, fingerprint: null };
  const task = {
    objectId: 'a',
    path: 'a',
    op: 'upsert',
    entry,
    fromObjectId: null,
    priority: 0,
  } as const;
  await store.listings.addTasks('j0', 'w', [task]);
  await store.listings.finish('j0', 'w', { complete: true });
  const [claimed] = await store.tasks.claim('j0', 'w', [10], leaseMs);
  assert.ok(claimed);
  await store.tasks.complete('w', [{ taskId: claimed.id, outcome: 'added', put: [object] }]);
  await store.jobs.finish('j0', 'w', { status: 'succeeded', problem: null });
}

test.run();
