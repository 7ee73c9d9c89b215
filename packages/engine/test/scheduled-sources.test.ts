// test-waits
import { defineConnector, TroveError, type Entry } from '@trove/core';
import type { Engine, JobResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { root, World } from './support/engine.js';

const hour = 3_600_000;
const checkMs = 2000;
const test = suite('scheduled sources');

/** Waits for a condition that other parts of the engine bring about. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function rowOf(engine: Engine) {
  const row = (await engine.status()).connectors[0];
  if (row === undefined) throw new Error('no source');
  return row;
}

async function scheduledJobs(engine: Engine): Promise<JobResponse[]> {
  return (await engine.jobs({ limit: 200 })).filter(
    ({ trigger, finished_at: at }) => trigger === 'schedule' && at !== null,
  );
}

async function withWorker(
  run: (engine: Engine, clock: ManualClock, world: World) => Promise<void>,
): Promise<void> {
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const engine = await world.open();
  engine.startWorker();
  try {
    await run(engine, clock, world);
  } finally {
    await engine.close();
  }
}

/** Advances to the next planned sync, and waits until it has ended. */
async function advanceToNext(engine: Engine, clock: ManualClock): Promise<void> {
  const done = (await scheduledJobs(engine)).length;
  const { next_sync_at: next } = await rowOf(engine);
  clock.advance(Date.parse(next ?? '') - Date.now());
  await until(async () => {
    clock.advance(checkMs);
    return (await scheduledJobs(engine)).length > done || undefined;
  });
}

test('syncs a source at each time of its schedule', () =>
  withWorker(async (engine, clock, world) => {
    await engine.add({ target: root, config: { every: '1h' }, process: true });
    const { next_sync_at: first } = await rowOf(engine);
    const wait = Date.parse(first ?? '') - Date.now();
    assert.ok(wait > hour / 2 - checkMs && wait <= 1.5 * hour, `${wait} ms`);

    world.source.set('b.txt', 'medlars');
    await advanceToNext(engine, clock);
    const { results } = await engine.search({ q: 'medlars', mode: 'keyword' });
    assert.is(results.length, 1);
    const next = (await rowOf(engine)).next_sync_at ?? '';
    assert.is(Date.parse(next) - Date.parse(first ?? ''), hour);
    await advanceToNext(engine, clock);
    assert.is((await scheduledJobs(engine)).length, 2);
  }));

test('makes up once for the times that it missed', async () => {
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const before = await world.open();
  await before.add({ target: root, config: { every: '1h' }, process: true });
  await before.close();
  clock.advance(100 * hour);
  const engine = await world.open();
  engine.startWorker();
  await until(async () => (await scheduledJobs(engine))[0]);
  const { next_sync_at: next } = await rowOf(engine);
  const wait = Date.parse(next ?? '') - Date.now();
  assert.ok(wait > 0 && wait <= hour, `${wait} ms`);
  clock.advance(checkMs);
  assert.is((await scheduledJobs(engine)).length, 1);
  await engine.close();
});

test('changes and removes a schedule, and keeps the rest of the configuration', () =>
  withWorker(async (engine) => {
    const objects = [{ match: '*.log', indexable: false }];
    await engine.add({ target: root, config: { objects, watch: false }, process: true });
    assert.is((await rowOf(engine)).next_sync_at, null);

    const change = { target: root, process: true, update: true };
    await engine.add({ ...change, schedule: { every: '6h', hours: '00:00-24:00' } });
    const scheduled = await engine.inspect({ target: root });
    assert.equal(scheduled['config'], {
      objects,
      watch: false,
      every: '6h',
      hours: '00:00-24:00',
    });
    assert.type(scheduled['next_sync_at'], 'string');

    await engine.add({ target: root, config: { objects }, process: true });
    assert.is((await rowOf(engine)).next_sync_at, scheduled['next_sync_at']);

    await engine.add({ ...change, schedule: { every: null, cron: '0 4 * * *', hours: null } });
    const { next_sync_at: next } = await rowOf(engine);
    assert.is(new Date(next ?? '').getHours(), 4);

    await engine.add({ ...change, schedule: { cron: null } });
    assert.is((await rowOf(engine)).next_sync_at, null);
    const { config } = await engine.inspect({ target: root });
    assert.equal(config, { objects, watch: false });
  }));

test('pauses a source until it is resumed, without a sync', () =>
  withWorker(async (engine, clock) => {
    await engine.add({ target: root, config: { every: '1h' }, process: true });
    const jobs = (await engine.jobs({})).length;
    assert.equal(await engine.schedule({ target: root, paused: true }), {
      target: root,
      paused: true,
      next_sync_at: null,
    });
    const { paused, next_sync_at: next } = await rowOf(engine);
    assert.equal([paused, next], [true, null]);
    for (let step = 0; step < 10; step++) {
      clock.advance(hour);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.is((await engine.jobs({})).length, jobs);

    await engine.add({ target: root, process: true });
    assert.is((await rowOf(engine)).paused, true);
    const resumed = await engine.schedule({ target: root, paused: null });
    assert.is(resumed.paused, false);
    assert.type(resumed.next_sync_at, 'string');
    await advanceToNext(engine, clock);
    assert.equal((await engine.inspect({ target: root }))['config'], { every: '1h' });
  }));

test('refuses a schedule for a source that is not registered', () =>
  withWorker(async (engine) => {
    const { code } = await rejection(() => engine.schedule({ target: root, paused: true }));
    assert.is(code, 'not_found');
    await engine.add({ target: root, process: true });
    const { code: invalid } = await rejection(() => engine.schedule({ target: root, every: '1s' }));
    assert.is(invalid, 'config_invalid');
  }));

test('changes the schedule of a source that cannot be reached', () =>
  withWorker(async (engine, _, world) => {
    await engine.add({ target: root, config: { every: '1h' }, process: true });
    world.source.token = 'changed';
    const pause = { target: root, schedule: { every: null }, update: true };
    const { code } = await rejection(() => engine.add(pause));
    assert.is(code, 'connector_unhealthy');
    const row = await rowOf(engine);
    assert.is(row.next_sync_at, null);
    assert.is(row.last_error?.code, 'connector_unhealthy');
    assert.ok(row.failing_since !== null);
  }));

test('does not register a source with a wrong schedule', () =>
  withWorker(async (engine) => {
    const { code, detail } = await rejection(() =>
      engine.add({ target: root, schedule: { every: '10m' } }),
    );
    assert.is(code, 'config_invalid');
    assert.is(detail, 'config.every: must be a time from 15m to 30d');
    assert.equal((await engine.status()).connectors, []);
    await engine.add({ target: root, process: true });
    const changed = await rejection(() => engine.add({ target: root, schedule: { every: '1h' } }));
    assert.is(changed.code, 'connector_already_registered');
  }));

test('counts failures until a sync succeeds, and keeps the last error', () =>
  withWorker(async (engine, clock, world) => {
    await engine.add({ target: root, config: { every: '1h' }, process: true });
    world.source.failListingAfter = 0;
    await advanceToNext(engine, clock);
    const failing = await rowOf(engine);
    assert.is(failing.status, 'error');
    assert.is(failing.last_error?.code, failing.error);
    await advanceToNext(engine, clock);
    assert.is((await rowOf(engine)).failing_since, failing.failing_since);
    world.source.failListingAfter = null;
    await advanceToNext(engine, clock);
    const healthy = await rowOf(engine);
    assert.equal([healthy.status, healthy.error, healthy.failing_since], ['active', null, null]);
    assert.is(healthy.last_error?.code, failing.error);
  }));

/** Sources (`slow://NAME`) whose listings wait until the test opens the gate of their name. */
class SlowSources {
  readonly #gates = new Map<string, () => void>();
  readonly listing = new Set<string>();
  mostListings = 0;
  isOpen = true;

  readonly plugin = defineConnector({
    keys: ['slow'],
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    create: ({ target }) => ({
      list: () => this.#list(target),
      read: async () => ({ bytes: Buffer.from('quinces') }),
    }),
  });

  /** Lets the listing of a source end. */
  open(target: string): void {
    this.#gates.get(target)?.();
  }

  async *#list(target: string) {
    this.listing.add(target);
    this.mostListings = Math.max(this.mostListings, this.listing.size);
    if (!this.isOpen) await new Promise<void>((resolve) => this.#gates.set(target, resolve));
    this.listing.delete(target);
    yield { path: 'a.txt', size: 7, modifiedAt: null, fingerprint: '1' };
  }
}

test('limits scheduled syncs, without a delay of requested and other scheduled ones', async () => {
  const slow = new SlowSources();
  using clock = new ManualClock(1000, { date: true });
  const engine = await new World().open({
    plugins: [slow.plugin],
    worker: { maxScheduledJobs: 3 },
  });
  engine.startWorker();
  const targets = Array.from({ length: 10 }, (_, at) => `slow://source-${at}`);
  for (const target of targets)
    await engine.add({ target, config: { every: '1h' }, process: true });
  slow.isOpen = false;
  slow.mostListings = 0;
  clock.advance(1.5 * hour);
  await until(async () => {
    clock.advance(checkMs);
    const { queued = 0 } = (await engine.status()).jobs;
    return (queued === 7 && slow.listing.size === 3) || undefined;
  });
  // The first slow source keeps its place. The others pass through the remaining two.
  const [blocked = ''] = slow.listing;
  await until(async () => {
    for (const target of slow.listing) if (target !== blocked) slow.open(target);
    return (await scheduledJobs(engine)).length === 9 || undefined;
  });
  assert.equal([...slow.listing], [blocked]);
  assert.is(slow.mostListings, 3);

  slow.isOpen = true;
  await engine.add({ target: 'slow://requested', process: true });
  slow.open(blocked);
  await until(async () => (await scheduledJobs(engine)).length === 10 || undefined);
  await engine.close();
});

/** A source that refuses requests for an hour once it is busy. */
class BusySource {
  isBusy = false;

  readonly plugin = defineConnector({
    keys: ['busy'],
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      list: () => this.#list(),
      read: async () => ({ bytes: Buffer.from('quinces') }),
    }),
  });

  async *#list(): AsyncGenerator<Entry> {
    const pause = { retryable: true, retryAfterMs: hour };
    if (this.isBusy) throw new TroveError('connector_unhealthy', 'Too many requests', pause);
    yield { path: 'a.txt', size: 7, modifiedAt: null, fingerprint: '1' };
  }
}

test('gives the place of a source that asks for a pause to others', async () => {
  const busy = new BusySource();
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const engine = await world.open({ plugins: [busy.plugin], worker: { maxScheduledJobs: 1 } });
  engine.startWorker();
  const config = { cron: '* * * * *' };
  await engine.add({ target: 'busy://one', config, process: true });
  busy.isBusy = true;
  await until(async () => {
    clock.advance(checkMs);
    return (await engine.jobs()).find((job) => job.paused_until !== null);
  });
  await engine.add({ target: root, config, process: true });
  const job = await until(async () => {
    clock.advance(checkMs);
    return (await scheduledJobs(engine))[0];
  });
  assert.equal([job.target, job.status], [root, 'succeeded']);
  await engine.close();
});

test('plans a sync that an interrupted request did not plan', async () => {
  const world = new World();
  world.source.set('a.txt', 'quinces');
  using clock = new ManualClock(1000, { date: true });
  const before = await world.open();
  await before.add({ target: root, config: { cron: '* * * * *' }, process: true });
  await before.close();
  await world.database.query('update trove_connectors set next_sync_at = null');
  const engine = await world.open();
  engine.startWorker();
  await until(async () => {
    clock.advance(checkMs);
    return (await scheduledJobs(engine))[0];
  });
  await engine.close();
});

test.run();
