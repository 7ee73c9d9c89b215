import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { EmbedderPlugin } from '@trove/core/model';
import type { Engine } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { rejection } from '@trove/test-support/rejection.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { found, root, sync, World } from './support/engine.js';

const test = suite('threads');

/** Starts a thread and returns its number: one more than have been started. */
function started(): number {
  return new Worker('', { eval: true }).threadId;
}

/** Counts the worker threads of this process from the report of Node.js. */
function threads(): number {
  const report: unknown = process.report?.getReport();
  const isReport = typeof report === 'object' && report !== null && 'workers' in report;
  return isReport && Array.isArray(report.workers) ? report.workers.length : 0;
}

test('idle threads end and start again on demand', async () => {
  const others = threads();
  const world = new World();
  const engine = await world.open();
  world.source.set('a.md', 'apples');
  await sync(engine);
  assert.ok(threads() > others, 'a thread ran the work');

  await waitUntil(() => threads() === others, 'the threads end');

  world.source.set('b.md', 'pears');
  await sync(engine);
  assert.is((await found(engine, 'pears')).length, 1);
  await engine.close();
});

/** A module with two embedders that compute in threads, as installed by an operator. */
const module = `data:text/javascript,${encodeURIComponent(`
  const embedder = (provider) => ({
    kind: 'embedder', apiVersion: 1, keys: [provider], workerModule: 'none',
    configSchema: { type: 'object', properties: { secret: { type: 'string', writeOnly: true } } },
    create: ({ config }) => ({
      model: provider, dimension: provider === 'first' ? 3 : 2, nature: 'lexical',
      async embed(texts) {
        if (texts.some((text) => text.includes('stray'))) {
          void Promise.reject(new Error('nobody awaits ' + config.secret));
          setTimeout(() => { throw new Error('out of a timer'); });
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        if (texts.some((text) => text.includes('endless'))) {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
        }
        if (texts.some((text) => text.includes('poison'))) throw new Error('choked on ' + config.secret);
        if (texts.some((text) => text.includes('short'))) return [];
        const memory = new Float32Array(2 * texts.length + 2);
        return texts.map((_, at) => memory.subarray(2 * at, 2 * at + 2).fill(1));
      },
    }),
  });
  export default [embedder('first'), embedder('second')];
`)}`;

async function using(
  texts: Record<string, string>,
  use: (engine: Engine, world: World) => Promise<void>,
  workerModule = module,
) {
  const { default: embedders } = (await import(module)) as { default: EmbedderPlugin[] };
  const world = new World();
  for (const [path, text] of Object.entries(texts)) world.source.set(path, text);
  const engine = await world.open({
    plugins: embedders.map((plugin) => ({ ...plugin, workerModule })),
    embedding: { provider: 'second', config: { secret: 'open-sesame' } },
  });
  try {
    await use(engine, world);
  } finally {
    await engine.close();
  }
}

test('a thread uses the configured embedder of a module', () =>
  using({ 'a.md': 'apples' }, async (engine) => {
    assert.is((await sync(engine)).status, 'succeeded');
    assert.is((await found(engine, 'apples', 'semantic')).length, 1);
  }));

test('unhandled errors of plugins in threads are logged without secrets', () =>
  using({ 'a.md': 'a stray apple' }, async (engine, world) => {
    assert.is((await sync(engine)).status, 'succeeded');
    const log = world.log.join('\n');
    assert.match(log, 'nobody awaits ***');
    assert.match(log, 'out of a timer');
    assert.not.match(log, 'open-sesame');
    assert.not.match(log, 'was lost');
  }));

test('errors of an embedder in a thread fail its objects with a code', () =>
  using({ 'a.md': 'a poison', 'b.md': 'too short', 'c.md': 'apples' }, async (engine) => {
    const job = await sync(engine);
    assert.equal([job.succeeded_objects, job.failed_objects], [1, 2]);
    const failures = new Map(job.failures.map(({ path, code, error }) => [path, [code, error]]));
    assert.equal(failures.get('a.md'), [
      'embedding_unavailable',
      'embedder second: embed failed: choked on ***',
    ]);
    assert.equal(failures.get('b.md'), [
      'plugin_invalid',
      'The embedder: embed returned 0 vectors for 1 texts',
    ]);
  }));

test('outlines, greps and estimates do not wait for indexing', () =>
  using({ 'a.md': '# Apples\n' }, async (engine, world) => {
    await sync(engine);
    world.source.set('b.md', 'an endless tale');
    sync(engine).catch(() => 'it never ends');
    const running = () => engine.jobs({ status: 'running' });
    while ((await running())[0]?.phase !== 'indexing') await sleep(10);
    const { content } = await engine.cat({ path: `${root}/a.md`, density: 'peek' });
    assert.match(content, 'Apples');
    assert.is((await engine.grep({ pattern: 'Apples' })).results.length, 1);
    assert.is((await engine.estimate({ target: root })).objects, 2);
    assert.is((await running()).length, 1);
  }));

test('manifests share one thread, which is replaced after an error', async () => {
  const world = new World();
  const engine = await world.open({ uploads: { folder: join(tmpdir(), 'trove-never-made') } });
  const compare = (files: readonly unknown[]) =>
    engine.filesManifest(
      (async function* () {
        yield Buffer.from(JSON.stringify({ client_id: 'me', root: '/notes', files }));
      })(),
    );
  const first = started();
  for (let times = 0; times < 5; times++) {
    assert.equal((await compare([])).need_sha1, []);
  }
  assert.is(started() - first, 2, 'one thread and the counting one');
  await rejection(() => compare([{ path: '../out' }]));
  assert.equal((await compare([])).need_sha1, []);
  assert.is(started() - first, 4);
  await engine.close();
});

test('a thread that received large data is not reused', async () => {
  const world = new World();
  const engine = await world.open({ uploads: { folder: join(tmpdir(), 'trove-never-made') } });
  const compare = (padding: number) =>
    engine.filesManifest(
      (async function* () {
        yield Buffer.from(JSON.stringify({ client_id: 'me', root: '/notes', files: [] }));
        yield Buffer.alloc(padding, ' ');
      })(),
    );
  const first = started();
  for (let times = 0; times < 5; times++) await compare(2 ** 20);
  assert.is(started() - first, 6, 'five threads and the counting one');
  await engine.close();
});

test('an embedder that cannot be imported ends the job with the reason', () => {
  const onlyHere = `data:text/javascript,throw new Error('no model in threads')`;
  const texts = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.md`, 'apples']));
  return using(
    texts,
    async (engine) => {
      const job = await sync(engine);
      assert.is(job.status, 'failed');
      assert.is(job.error, 'circuit_breaker_tripped');
      assert.match(JSON.stringify(job), /5 objects in a row .* no model in threads/);
    },
    onlyHere,
  );
});

test.run();
