// test-timeout: 600
// test-waits
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MetadataDatabase, openPostgresMetadata } from '@trove/test-support/metadata-database.js';
import { startPostgres, type TestPostgres } from '@trove/test-support/postgres.js';
import { parseSchedule } from '../src/sources/schedules/schedule.js';
import { ScheduleWorker } from './support/schedule-worker.js';

process.env['TZ'] = 'Europe/Berlin';

const test = suite('a simulated day of schedules');
const minute = 60_000;
const day = 24 * 60 * minute;
const stepMs = 2 * minute;
const start = Date.parse('2026-11-30T00:00:00+01:00');
const sourceCount = 500;
const maxJobs = 16;
const leaseMs = 1500;
/** The killed worker lives for this many steps, and is killed within this time after a step began. */
const stepsPerLife = 50;
const killSpreadMs = 40;
const program = fileURLToPath(new URL('support/schedule-program.ts', import.meta.url));
const onSources = new URL('../../workbench/src/on-sources.mjs', import.meta.url).href;
let postgres: TestPostgres;

test.before(async () => {
  postgres = await startPostgres();
});

test.after(() => postgres.stop());

const schedules = [
  { every: '2h' },
  { every: '6h' },
  { cron: '0 */4 * * *' },
  { every: '1d' },
  { every: '3h', hours: '22:00-06:00' },
];

interface SimulatedSource {
  readonly id: string;
  /** The times of the day at which it is due. */
  readonly due: readonly number[];
}

async function registerSources(store: MetadataStore): Promise<SimulatedSource[]> {
  const sources: SimulatedSource[] = [];
  for (let at = 0; at < sourceCount; at++) {
    const config = schedules[at % schedules.length] ?? {};
    const schedule = parseSchedule(config);
    if (schedule === null) throw new Error('no schedule');
    const id = `source-${at}`;
    await store.sources.register({ id, rootUri: `web://${id}`, type: 'web', config });
    const first = schedule.next(id, start);
    await store.sources.planSync(id, first);
    const due: number[] = [];
    for (let time = first; time <= start + day; time = schedule.next(id, time)) due.push(time);
    sources.push({ id, due });
  }
  return sources;
}

/** Every due time of a source caused one sync, and nothing else did. */
async function assertComplete(
  store: MetadataStore,
  sources: readonly SimulatedSource[],
): Promise<void> {
  const jobs = await store.jobs.list({ limit: 100_000, offset: 0 });
  const counts = new Map<string, number>();
  for (const { connectorId, status } of jobs) {
    assert.is(status, 'succeeded');
    counts.set(connectorId, (counts.get(connectorId) ?? 0) + 1);
  }
  const wrong = sources.filter(({ id, due }) => counts.get(id) !== due.length);
  assert.equal(
    wrong.map(({ id, due }) => `${id}: ${counts.get(id)} instead of ${due.length}`),
    [],
  );
  const planned = (await store.sources.list()).map(({ nextSyncAt }) => nextSyncAt ?? 0);
  assert.ok(planned.every((time) => time > start + day));
}

/** Calls `step` at each time of the day, then until all jobs have ended. Later times are not due. */
async function simulate(
  store: MetadataStore,
  intervalMs: number,
  step: (due: number, now: number) => Promise<void>,
): Promise<void> {
  for (let now = start; now <= start + day || (await isBusy(store)); now += intervalMs)
    await step(Math.min(now, start + day), now);
}

async function isBusy(store: MetadataStore): Promise<boolean> {
  const { queued = 0, running = 0 } = await store.jobs.counts();
  return queued + running > 0;
}

test('runs 500 sources at all their times, within the limit of a worker', async () => {
  const database = new MetadataDatabase();
  const store = await database.open();
  const sources = await registerSources(store);
  const worker = new ScheduleWorker(store, { name: 'w', maxJobs, leaseMs: 600_000 });
  let most = 0;
  await simulate(store, minute, async (due, now) => {
    await worker.queueDue(due);
    await worker.work(now);
    most = Math.max(most, worker.running);
  });
  await assertComplete(store, sources);
  assert.is(most, maxJobs);
  await database.close();
});

/** A worker in its own process. */
class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', resolve));
    // A message to a killed process fails.
    child.on('error', () => undefined);
  }

  static async start(dsn: string, name: string): Promise<WorkerProcess> {
    const child = fork(program, [dsn, name, String(maxJobs), String(leaseMs)], {
      execArgv: program.endsWith('.ts') ? ['--import', onSources] : [],
    });
    await once(child, 'message');
    return new WorkerProcess(child);
  }

  /** Returns the number of its jobs in progress. Rejects with its error, or when it is killed. */
  async step(due: number, now: number): Promise<number> {
    const reply = new Promise<unknown>((resolve) => this.#child.once('message', resolve));
    this.#child.send([due, now]);
    const answer = await Promise.race([reply, this.#ended]);
    if (typeof answer !== 'number') throw new Error(`no number of jobs: ${String(answer)}`);
    return answer;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

test('runs them once with two workers on PostgreSQL, one of which is killed often', async () => {
  const dsn = await postgres.createDatabase();
  const store = await openPostgresMetadata(dsn);
  const sources = await registerSources(store);
  const steady = await WorkerProcess.start(dsn, 'steady');
  let names = 0;
  let mortal = await WorkerProcess.start(dsn, `mortal-${names++}`);
  let steps = 0;
  await simulate(store, stepMs, async (due, now) => {
    const isLast = ++steps % stepsPerLife === 0;
    const working = mortal.step(due, now).catch(() => 0);
    if (isLast) {
      await sleep(steps % killSpreadMs);
      await mortal.kill();
    }
    const running = await Promise.all([steady.step(due, now), working]);
    assert.ok(Math.max(...running) <= maxJobs, `${running.join()} jobs at the same time`);
    if (!isLast) return;
    // Its jobs are taken over when its leases have expired.
    await sleep(leaseMs);
    mortal = await WorkerProcess.start(dsn, `mortal-${names++}`);
  });
  await Promise.all([steady.kill(), mortal.kill()]);
  await assertComplete(store, sources);
  assert.ok(names > 10, `${names} workers`);
  await store.close();
});

test.run();
