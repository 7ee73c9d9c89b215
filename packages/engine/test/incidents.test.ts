import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import type { MetadataStore } from '@trove/core/store';
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { Incidents } from '../src/ingest/alerts/incidents.js';
import type { DiskSpace } from '../src/generations/maintenance/disk-space.js';

const test = suite('incidents');
const MB = 1_000_000;
const id = 'c1';
const source = { id, rootUri: 'slack://acme', type: 'slack', config: null };

function incidentsOf(store: MetadataStore, machineId = 'machine'): Incidents {
  return new Incidents(store, {
    limits: { after: 3, watchedSince: 0 },
    channels: ['webhook', 'command'],
    machineId,
    baseUrl: 'https://trove.example/',
    redact: (text) => text.replaceAll('hunter2', '***'),
  });
}

function disk(freeBytes: number | null, state: DiskSpace['state']): DiskSpace {
  return { name: 'home', freeBytes, state, detail: state === 'ok' ? null : `It is ${state}.` };
}

/** Claims all queued alerts. Returns their channels and bodies. */
async function queued(store: MetadataStore): Promise<(readonly [string, unknown])[]> {
  const found: (readonly [string, unknown])[] = [];
  for (;;) {
    const alert = await store.alerts.claim('w', ['webhook', 'command'], 1000);
    if (alert === null) return found;
    found.push([alert.channel, alert.body]);
    await store.alerts.complete(alert.id, 'w');
  }
}

/** Fails or ends a sync of the source. */
async function endSync(store: MetadataStore, job: string, detail: string | null): Promise<void> {
  await store.jobs.create({
    id: job,
    connectorId: id,
    opKind: 'sync',
    trigger: 'schedule',
    full: false,
    since: null,
  });
  await store.jobs.claim('w', 60_000);
  const problem = detail === null ? null : { code: 'timed_out', detail };
  const status = detail === null ? 'succeeded' : 'failed';
  await store.jobs.finish(job, 'w', { status, problem });
}

async function withStores(
  run: (one: MetadataStore, two: MetadataStore) => Promise<void>,
): Promise<void> {
  const database = new MetadataDatabase();
  try {
    await run(await database.open(), await database.open());
  } finally {
    await database.close();
  }
}

test('alerts once to a disk of a machine, and again after enough space', () =>
  withStores(async (store) => {
    const incidents = incidentsOf(store);
    await incidents.update([disk(499 * MB, 'low')], 1000);
    await incidents.update([disk(5 * MB, 'full')], 2000);
    await incidents.update([disk(null, 'unknown')], 3000);
    await incidents.update([disk(510 * MB, 'ok')], 4000);
    await incidents.update([disk(490 * MB, 'low')], 5000);
    const body = {
      event: 'disk_low',
      source: null,
      code: 'disk_low',
      detail: 'It is low.',
      since: '1970-01-01T00:00:01.000Z',
      url: 'https://trove.example/#/health',
    };
    assert.equal(await queued(store), [
      ['webhook', body],
      ['command', body],
    ]);
    await incidents.update([disk(700 * MB, 'ok')], 6000);
    await incidents.update([disk(1 * MB, 'full')], 7000);
    await incidentsOf(store, 'other').update([disk(1 * MB, 'full')], 7000);
    const codes = (await queued(store)).map(([, sent]) => sent);
    assert.is(codes.length, 4);
    assert.match(JSON.stringify(codes[0]), '"code":"disk_full"');
  }));

test('opens one incident when several processes see a failure', () =>
  withStores(async (one, two) => {
    await one.sources.register(source);
    for (const job of ['j1', 'j2', 'j3']) await endSync(one, job, 'No answer for hunter2');
    const both = [incidentsOf(one), incidentsOf(two), incidentsOf(one)];
    await Promise.all(both.map((incidents) => incidents.update([], Date.now())));
    const found = await queued(one);
    assert.equal(
      found.map(([channel]) => channel),
      ['webhook', 'command'],
    );
    assert.match(JSON.stringify(found), 'No answer for ***');

    await endSync(one, 'j4', null);
    await Promise.all(both.map((incidents) => incidents.update([], Date.now())));
    assert.is((await queued(one)).length, 2);
  }));

test('detects other failures while the schedule of a source is not valid', () =>
  withStores(async (store) => {
    const broken = { ...source, id: 'c0', rootUri: 'slack://broken', config: { every: '1s' } };
    await store.sources.register(broken);
    await store.sources.planSync('c0', 1);
    await store.sources.register(source);
    for (const job of ['j1', 'j2', 'j3']) await endSync(store, job, 'No answer');
    const disks = [disk(499 * MB, 'low')];
    assert.is(await codeOf(incidentsOf(store).update(disks, Date.now())), 'config_invalid');
    const keys = (await store.alerts.incidents()).map(({ key }) => key);
    assert.equal(keys, ['disk:machine:home', `source:${id}`]);
  }));

test('forgets the incident of a removed source', () =>
  withStores(async (store) => {
    await store.sources.register(source);
    for (const job of ['j1', 'j2', 'j3']) await endSync(store, job, 'No answer');
    const incidents = incidentsOf(store);
    await incidents.update([], Date.now());
    assert.is((await queued(store)).length, 2);
    await store.sources.delete(id);
    await incidents.update([], Date.now());
    assert.equal(await store.alerts.incidents(), []);
    assert.equal(await queued(store), []);
  }));

test.run();
