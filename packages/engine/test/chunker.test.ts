import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as immediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { isTroveError } from '@trove/core';
import type { Engine } from '@trove/engine';
import { ChunkerToken, provide, type Override } from '@trove/engine/di';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { names } from './support/hostile-chunker.mjs';
import { root, sync, World } from './support/engine.js';

const module = fileURLToPath(new URL('support/own-chunker.mjs', import.meta.url));
const own = (version: string): Override[] => [
  provide(ChunkerToken, { useValue: { module, version } }),
];
const log = '[1] red apples\n  and more\n[2] green apples [3] apples, on the same line\n';

/** Time limit of a call to a thread. */
const callLimitMs = 120_000;

const test = suite<{ world: World; engine: Engine | null }>('an own chunker');

test.before.each((context) => {
  context.world = new World();
  context.engine = null;
});
test.after.each(async ({ engine }) => {
  await engine?.close();
});

async function contents(engine: Engine, q: string): Promise<string[]> {
  const { results } = await engine.search({ q, top_k: 20 });
  return results.map(({ content }) => content).toSorted();
}

test('turns each range of a custom chunker into a chunk that can be read', async (context) => {
  const { world } = context;
  world.source.set('a.log', log);
  world.source.set('b.md', '# Fruit\n\nyellow pears\n');
  const engine = await world.open({ override: own('1') });
  context.engine = engine;
  assert.is((await sync(engine)).status, 'succeeded');
  assert.is((await engine.estimate({ target: root })).est_chunks, 4);
  const { results } = await engine.search({ q: 'apples' });
  const found = results.map(({ content, locator }) => ({ content, locator }));
  assert.equal(
    found.toSorted((a, b) => (a.content < b.content ? -1 : 1)),
    [
      { content: '[1] red apples\n  and more\n', locator: { lines: [1, 2] } },
      { content: '[2] green apples ', locator: { lines: [3, 3], chars: [0, 17] } },
      { content: '[3] apples, on the same line', locator: { lines: [3, 3], chars: [17, 45] } },
    ],
  );
  for (const { source, content, locator } of results) {
    const read = await engine.cat({ path: source, locator: JSON.stringify(locator) });
    assert.ok(read.content.includes(content), `${read.content} has ${content}`);
  }
  assert.is((await contents(engine, 'entry')).length, 3, 'the context is indexed');
  assert.equal(await contents(engine, 'pears'), ['# Fruit\n\nyellow pears']);
});

test('indexes again only after the chunker version changes', async (context) => {
  const { world } = context;
  world.source.set('a.log', log);
  const counts: (number | null)[] = [];
  for (const override of [[], own('1'), own('1'), own('2'), []]) {
    const engine = await world.open({ override });
    context.engine = engine;
    const { added, changed, chunks } = await sync(engine);
    counts.push((added ?? 0) + (changed ?? 0), chunks);
    await engine.close();
  }
  assert.equal(counts, [1, 1, 1, 3, 0, 0, 1, 3, 1, 1]);
});

test('fails only the object that a chunker splits wrongly, with the reason', async (context) => {
  const { world } = context;
  for (const name of ['a.log', 'broken.log', 'loud.log']) world.source.set(name, log);
  const engine = await world.open({ override: own('1') });
  context.engine = engine;
  const job = await sync(engine);
  assert.is(job.status, 'partial');
  const wrong = 'chunker: the range from 3 to 3';
  assert.equal(job.failures.map(({ path, code, error }) => `${path} ${code} ${error}`).toSorted(), [
    `broken.log plugin_invalid ${wrong} of ${log.length} is not in the text`,
    'loud.log plugin_invalid chunker: I cannot cut this',
  ]);
  assert.is((await contents(engine, 'apples')).length, 3);
});

test('indexes other objects and answers searches despite a hostile chunker', async (context) => {
  const { world } = context;
  const begun = join(await mkdtemp(join(tmpdir(), 'trove-chunker-')), 'begun');
  for (const name of names)
    world.source.set(`${name}.txt`, name === 'stuck' ? begun : `apples of ${name}\n`);
  using clock = new ManualClock(callLimitMs);
  const hostile = fileURLToPath(new URL('support/hostile-chunker.mjs', import.meta.url));
  const override = [provide(ChunkerToken, { useValue: { module: hostile, version: '1' } })];
  const engine = await world.open({
    override,
    worker: { concurrency: 2 },
    ingest: { chunkMax: 50 },
  });
  context.engine = engine;
  let isDone = false;
  const syncing = sync(engine).finally(() => (isDone = true));
  await waitUntil(async () => {
    if (!existsSync(begun)) return isDone;
    // The running call is known only after the previous answers were read.
    for (let turn = 0; turn < 3; turn++) await immediate();
    // Advance the clock only for the stuck call.
    if (clock.waiting.filter((ms) => ms === callLimitMs).length === 1) {
      rmSync(begun);
      clock.advance(callLimitMs);
    }
    return isDone;
  }, 'the job ends');
  const job = await syncing;
  rmSync(dirname(begun), { recursive: true });
  const failed = new Map(job.failures.map(({ path, code }) => [path.replace('.txt', ''), code]));
  const cut = ['endless', 'good', 'stray'];
  assert.equal(
    [...failed.keys()].toSorted(),
    names.filter((name) => !cut.includes(name)).toSorted(),
  );
  assert.is(failed.get('stuck'), 'timed_out');
  for (const name of ['nonsense', 'promise', 'huge', 'trap', 'getter'])
    assert.is(failed.get(name), 'plugin_invalid', name);
  for (const name of ['good', 'stray'])
    assert.ok((await contents(engine, name)).includes(`apples of ${name}`), name);
});

test('rejects an unusable chunker when the engine opens', async ({ world }) => {
  const refusal = async (name: string): Promise<string> => {
    const chunker = { module: name, version: '1' };
    const error: unknown = await world
      .open({ override: [provide(ChunkerToken, { useValue: chunker })] })
      .catch((thrown: unknown) => thrown);
    return isTroveError(error) ? `${error.code} ${error.detail}` : String(error);
  };
  assert.match(
    await refusal('/nowhere/chunker.js'),
    /^config_invalid override: the chunker \/nowhere/,
  );
  assert.match(
    await refusal(import.meta.resolve('@trove/core')),
    /^config_invalid override: the chunker .*: its default export has no method `split`/,
  );
});

test.run();
