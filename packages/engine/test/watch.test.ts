// test-waits
import { defineConnector, TroveError, type ListRequest } from '@trove/core';
import type { Engine, JobResponse } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { rejection } from '@trove/test-support/rejection.js';
import { World } from './support/engine.js';

const target = 'live://notes';

/** A source that reports the changes of a test. It may be unable to watch. */
class Live {
  readonly notes = new Map([['a.md', 'The first note.\n']]);
  watching = 0;
  failure: Error | null = null;
  reportsChanges = true;
  /** The paths of each listing; null for a full listing. */
  readonly listed: (readonly string[] | null)[] = [];
  broken = false;
  /** Called during each listing. */
  meanwhile = (): void => undefined;
  readonly #told: string[] = [];
  #tell: (() => void) | null = null;

  /** `text`: null to remove it. */
  change(path: string, text: string | null, told = path): void {
    if (text === null) this.notes.delete(path);
    else this.notes.set(path, text);
    this.#told.push(told);
    this.#tell?.();
  }

  readonly plugin = defineConnector({
    keys: ['live'],
    capabilities: { paths: true },
    configSchema: { type: 'object', additionalProperties: false, properties: {} },
    create: () => ({
      list: this.list.bind(this),
      read: async (path: string) => ({ bytes: Buffer.from(this.notes.get(path) ?? '') }),
      ...(this.reportsChanges ? { watch: this.watch.bind(this) } : {}),
    }),
  });

  async *list({ paths }: ListRequest) {
    this.listed.push(paths ?? null);
    this.meanwhile();
    if (this.broken) throw new TroveError('connector_unhealthy', 'It cannot be listed.');
    for (const [path, text] of this.notes) {
      const isNamed = paths?.some((one) => path === one || path.startsWith(`${one}/`)) ?? true;
      // The text of a moved object stays the same.
      const entry = {
        path,
        size: text.length,
        modifiedAt: null,
        fingerprint: text,
        identity: text,
      };
      if (isNamed) yield entry;
    }
  }

  async *watch({ signal }: { signal: AbortSignal }): AsyncGenerator<string> {
    this.watching++;
    try {
      if (this.failure !== null) throw this.failure;
      yield '';
      for (;;) {
        yield* this.#told.splice(0);
        await new Promise<void>((resolve, reject) => {
          this.#tell = resolve;
          if (this.#told.length > 0) resolve();
          signal.addEventListener('abort', () => reject(new Error('over')), { once: true });
        });
      }
    } finally {
      this.watching--;
    }
  }
}

/** Waits for a condition that other parts of the engine bring about. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const isFinished = ({ finished_at: at }: JobResponse): boolean => at !== null;

const watchJobs = async (engine: Engine): Promise<JobResponse[]> =>
  (await engine.jobs({})).filter((job) => job.trigger === 'watch' && isFinished(job));

const test = suite('watched sources');

test('finds a change soon, without a requested sync', async () => {
  const live = new Live();
  const engine = await new World().open({ plugins: [live.plugin] });
  engine.startWorker();
  const add = { target, config: { watch: true }, process: true };
  await engine.add(add);
  // The first sync covers changes from before the watch.
  await until(async () => (await watchJobs(engine))[0]);
  live.change('b.md', 'A note about tangerines.\n');
  const hit = await until(async () => {
    const { results } = await engine.search({ q: 'tangerines', mode: 'keyword' });
    return results[0];
  });
  assert.is(hit.source, 'live://notes/b.md');
  const shown = await engine.inspect({ target });
  assert.equal(shown['config'], { watch: true });

  // The job of the watch may finish after its objects are found.
  await until(async () => (await engine.jobs({})).every(isFinished) || undefined);
  await engine.add({ ...add, config: { watch: false }, update: true });
  await until(async () => (live.watching === 0 ? true : undefined));
  await engine.close();
});

test('lists only changed paths, removes missing objects and keeps moved ones', async () => {
  const live = new Live();
  for (const path of ['a/1.md', 'a/2.md', 'a.md', 'ab/3.md', 'z.md'])
    live.notes.set(path, `Note ${path}\n`);
  const engine = await new World().open({ plugins: [live.plugin] });
  engine.startWorker();
  await engine.add({ target, config: { watch: true }, process: true });
  await until(async () => (await watchJobs(engine))[0]);
  const synced = async (count: number): Promise<JobResponse> =>
    until(async () => {
      const jobs = await watchJobs(engine);
      return jobs.length >= count ? jobs[0] : undefined;
    });
  const found = async (): Promise<string[]> => {
    const { results } = await engine.search({ q: 'note', mode: 'keyword', top_k: 50 });
    return results.map(({ source }) => source.replace(`${target}/`, '')).sort();
  };

  live.change('a/new.md', 'Note of a new file\n', 'a');
  live.change('a/1.md', null, 'a/1.md');
  const folder = await synced(2);
  assert.equal(live.listed.at(-1), ['a']);
  assert.equal([folder.added, folder.removed, folder.unchanged], [1, 1, 1]);
  assert.equal(await found(), ['a.md', 'a/2.md', 'a/new.md', 'ab/3.md', 'z.md']);

  const moved = live.notes.get('z.md') ?? '';
  live.change('z.md', null);
  live.change('y/z.md', moved);
  const move = await synced(3);
  assert.equal([...(live.listed.at(-1) ?? [])].sort(), ['y/z.md', 'z.md']);
  assert.equal([move.changed, move.added, move.removed], [1, 0, 0]);
  assert.equal(await found(), ['a.md', 'a/2.md', 'a/new.md', 'ab/3.md', 'y/z.md']);

  // An empty path means that anything may have changed.
  live.change('ab/3.md', null, '');
  await synced(4);
  assert.is(live.listed.at(-1), null);
  assert.equal(await found(), ['a.md', 'a/2.md', 'a/new.md', 'y/z.md']);
  await engine.close();
});

test('syncs only the requested paths of a source', async () => {
  const live = new Live();
  live.notes.set('a/1.md', 'One\n');
  const engine = await new World().open({ plugins: [live.plugin] });
  const sync = async (paths: readonly string[]): Promise<JobResponse | undefined> => {
    await engine.add({ target, paths: [...paths], process: true });
    return (await engine.jobs({ limit: 1 }))[0];
  };
  const early = await rejection(() => sync(['a.md']));
  assert.is(early.code, 'validation_error');
  await engine.add({ target, process: true });
  live.notes.set('a/1.md', 'Another\n');
  live.notes.set('b.md', 'Not requested\n');
  const job = await sync(['a/1.md', 'a', 'c.md']);
  assert.equal(live.listed.at(-1), ['a', 'c.md']);
  assert.equal([job?.changed, job?.added, job?.removed], [1, 0, 0]);
  for (const path of ['../x', '/x', 'a//b', '.']) {
    const { code } = await rejection(() => sync([path]));
    assert.is(code, 'validation_error', path);
  }
  await engine.close();
});

test('lists everything after a failed listing of some paths', async () => {
  const live = new Live();
  const engine = await new World().open({ plugins: [live.plugin] });
  engine.startWorker();
  await engine.add({ target, config: { watch: true }, process: true });
  await until(async () => (await watchJobs(engine))[0]);
  live.broken = true;
  live.change('b.md', 'A note about tangerines.\n');
  const failed = await until(
    async () => (await watchJobs(engine))[1] && (await watchJobs(engine))[0],
  );
  assert.is(failed.status, 'failed');
  live.broken = false;
  live.change('c.md', 'A note about lemons.\n');
  await until(async () => {
    const { results } = await engine.search({ q: 'tangerines', mode: 'keyword' });
    return results[0];
  });
  assert.is(live.listed.at(-1), null);
  await engine.close();
});

test('many changes cause one sync, and syncs do not overlap', async () => {
  const live = new Live();
  const engine = await new World().open({ plugins: [live.plugin] });
  engine.startWorker();
  await engine.add({ target, config: { watch: true }, process: true });
  await until(async () => (await watchJobs(engine))[0]);
  for (let n = 0; n < 50; n++) live.change(`${n}.md`, `Note number ${n}.\n`);
  await until(async () => {
    const jobs = await watchJobs(engine);
    return jobs.reduce((sum, { added }) => sum + added, 0) === 50 ? true : undefined;
  });
  const jobs = await watchJobs(engine);
  assert.ok(jobs.length <= 5, `${jobs.length} syncs`);
  assert.ok(jobs.every(({ status }) => status === 'succeeded'));
  await engine.close();
  assert.is(live.watching, 0);
});

test('syncs rare changes without delay and pauses between frequent ones', async () => {
  const live = new Live();
  const engine = await new World().open({ plugins: [live.plugin] });
  engine.startWorker();
  using clock = new ManualClock(1000, { date: true });
  // Longer than the longest pause, even if a sync takes additional time on a busy machine.
  live.meanwhile = () => clock.advance(7000);
  await engine.add({ target, config: { watch: true }, process: true });
  const synced = (count: number): Promise<true> =>
    until(async () => ((await watchJobs(engine)).length === count ? true : undefined));
  await synced(1);
  // A full listing counts as work for its whole duration.
  live.change('b.md', 'A note about tangerines.\n', '');
  await synced(2);
  live.change('c.md', 'A note about lemons.\n');
  const resting = await until(async () => {
    const isSynced = (await watchJobs(engine)).length > 2;
    return isSynced ? 0 : clock.waiting.find((ms) => ms > 5000 && ms <= 60_000);
  });
  assert.is((await watchJobs(engine)).length, 2);
  clock.advance(resting - 100);
  assert.is((await watchJobs(engine)).length, 2);
  clock.advance(100);
  await synced(3);
  clock.advance(600_000);
  live.change('d.md', 'A note about pears.\n');
  await synced(4);
  await engine.close();
});

/** The watch state of the source in the status. */
async function watchOf(engine: Engine) {
  const { connectors } = await engine.status();
  return connectors[0]?.watch ?? null;
}

test('polls a source that cannot be watched and shows why in its status', async () => {
  const live = new Live();
  live.failure = new TroveError('not_supported', 'No more folders can be watched.', {
    suggestions: ['Raise the limit.'],
  });
  const world = new World();
  const engine = await world.open({ plugins: [live.plugin] });
  using clock = new ManualClock(5000);
  engine.startWorker();
  await engine.add({ target, config: { watch: true }, process: true });
  const failing = await until(async () => (await watchOf(engine)) ?? undefined);
  const detail = 'No more folders can be watched. Raise the limit.';
  assert.equal(failing, { by: 'polling', every_seconds: 5, detail });
  assert.match(world.log.join('\n'), /warn a source cannot be watched.*No more folders/);
  clock.advance(5000);
  await until(async () => (await watchJobs(engine))[0]);
  await until(async () => ((await watchOf(engine))?.every_seconds === 10 ? true : undefined));
  live.failure = null;
  clock.advance(10_000);
  await until(async () => ((await watchOf(engine))?.by === 'events' ? true : undefined));
  assert.equal(await watchOf(engine), { by: 'events', every_seconds: null, detail: null });
  live.change('b.md', 'A note about tangerines.\n');
  await until(async () => {
    const { results } = await engine.search({ q: 'tangerines', mode: 'keyword' });
    return results[0];
  });
  await engine.close();
});

test('polls a source whose connector reports no changes and warns about it', async () => {
  const live = new Live();
  live.reportsChanges = false;
  const world = new World();
  const engine = await world.open({ plugins: [live.plugin] });
  using clock = new ManualClock(5000);
  engine.startWorker();
  const { warnings } = await engine.add({ target, config: { watch: true }, process: true });
  const notice =
    'Sources of type live cannot report changes, so this one is synced every 10 minutes.';
  assert.equal(warnings, [notice]);
  const watch = await until(async () => (await watchOf(engine)) ?? undefined);
  assert.equal(watch, { by: 'polling', every_seconds: 600, detail: notice });
  clock.advance(599_000);
  assert.equal(await watchJobs(engine), []);
  clock.advance(1000);
  await until(async () => (await watchJobs(engine))[0]);
  assert.is(world.log.filter((line) => line.startsWith('warn')).length, 0);
  await engine.close();
});

test('removing a watched source logs no failure to watch it', async () => {
  const live = new Live();
  const world = new World();
  const engine = await world.open({ plugins: [live.plugin] });
  engine.startWorker();
  await engine.add({ target, config: { watch: true }, process: true });
  await until(async () => (live.watching > 0 ? true : undefined));
  await engine.remove({ target });
  await until(async () => (live.watching === 0 ? true : undefined));
  await engine.close();
  assert.not.match(world.log.join('\n'), 'cannot be watched');
});

test('requires a boolean `watch`, and watches nothing without a worker', async () => {
  const live = new Live();
  const engine = await new World().open({ plugins: [live.plugin] });
  const error = await rejection(() => engine.add({ target, config: { watch: 'yes' } }));
  assert.equal(
    [error.code, error.message],
    ['config_invalid', 'config.watch: must be true or false'],
  );
  await engine.add({ target, config: { watch: true }, process: true });
  assert.is(live.watching, 0);
  await engine.close();
});

test.run();
