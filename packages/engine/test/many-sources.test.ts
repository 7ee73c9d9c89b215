import { defineConnector, type Plugin } from '@trove/core';
import { defineMetadataStore } from '@trove/core/store';
import type { Engine } from '@trove/engine';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { codeOf } from '@trove/test-support/rejection.js';
import { sync, World } from './support/engine.js';

const test = suite('many sources');
const targets = Array.from({ length: 5 }, (_, at) => `memory://local/folder-${at}`);
const text = 'the same quince in every source';

/** A world whose store records which sources it lists (the number of ids, or `all`), and its reads of objects. */
class CountingWorld extends World {
  readonly lists: (number | 'all')[] = [];
  objectReads = 0;

  override open({ plugins = [] }: { readonly plugins?: readonly Plugin[] } = {}): Promise<Engine> {
    const { store, lists } = this;
    const counting = defineMetadataStore({
      keys: ['counting'],
      configSchema: store.configSchema,
      create: async (context) => {
        const made = await store.create(context);
        const list = made.sources.list.bind(made.sources);
        made.sources.list = (ids) => {
          lists.push(ids?.length ?? 'all');
          return list(ids);
        };
        const { objects } = made;
        const listObjects = objects.list.bind(objects);
        objects.list = (...given) => {
          this.objectReads++;
          return listObjects(...given);
        };
        const holders = objects.holders.bind(objects);
        objects.holders = (...given) => {
          this.objectReads++;
          return holders(...given);
        };
        const findByRoot = made.sources.findByRoot.bind(made.sources);
        made.sources.findByRoot = (rootUris) => {
          lists.push(rootUris.length);
          return findByRoot(rootUris);
        };
        return made;
      },
    });
    return super.open({ metadata: { backend: 'counting' }, plugins: [...plugins, counting] });
  }
}

async function withSources(
  run: (engine: Engine, world: CountingWorld) => Promise<void>,
): Promise<void> {
  const world = new CountingWorld();
  world.source.set('a.txt', text);
  const engine = await world.open();
  try {
    for (const target of targets) await sync(engine, { target });
    world.lists.length = 0;
    await run(engine, world);
  } finally {
    await engine.close();
  }
}

test('finds the source of a path without a list of all sources', () =>
  withSources(async (engine, world) => {
    const path = `${targets[3]}/a.txt`;
    assert.is((await engine.cat({ path })).content, text);
    assert.is((await engine.ls({ path: `${targets[3]}` })).entries.length, 1);
    assert.not.ok(world.lists.includes('all'), world.lists.join());
    assert.ok(world.lists.length > 0);
  }));

test('chooses among equal hits without a list of all sources', () =>
  withSources(async (engine, world) => {
    const { results } = await engine.search({ q: 'quince', mode: 'keyword' });
    assert.is(results.length, 1);
    assert.is(results[0]?.metadata.also.length, targets.length - 1);
    assert.not.ok(world.lists.includes('all'), world.lists.join());
  }));

test('reports the status of all sources with one list', () =>
  withSources(async (engine, world) => {
    const { connectors } = await engine.status();
    assert.is(connectors.length, targets.length);
    assert.ok(connectors.every((each) => each.object_count === 1 && each.last_synced_at !== null));
    assert.equal(world.lists, ['all']);
  }));

test('searches all sources with few reads of the store', async () => {
  const searching = defineConnector({
    keys: ['searching'],
    configSchema: { type: 'object', properties: {} },
    capabilities: { grep: { paging: true } },
    create: ({ target }) => ({
      async *list() {
        yield { path: 'a.txt', size: null, modifiedAt: null, fingerprint: '1' };
        if (target === 'searching://3')
          yield { path: 'b.txt.gz', size: null, modifiedAt: null, fingerprint: '1' };
      },
      read: async (path) => ({ bytes: path === 'a.txt' ? Buffer.from(text) : gzipSync(text) }),
      async *grep() {
        if (target !== 'searching://3') return;
        yield { path: 'a.txt', lines: [1, 1], content: text, match: { lines: [1, 1], column: 10 } };
      },
    }),
  });
  const world = new CountingWorld();
  const engine = await world.open({ plugins: [searching] });
  const roots = Array.from({ length: 8 }, (_, at) => `searching://${at}`);
  for (const target of roots) await sync(engine, { target });
  // The first search opens the connectors.
  await engine.grep({ pattern: 'quince' });
  world.objectReads = 0;
  const { results } = await engine.grep({ pattern: 'quince' });
  const found = results.map(({ source }) => source);
  assert.equal(found, ['searching://3/a.txt', 'searching://3/b.txt.gz']);
  assert.ok(world.objectReads <= 4, `${world.objectReads} reads`);
  await engine.close();
});

test('lists the folders above sources', () =>
  withSources(async (engine) => {
    await sync(engine, { target: 'memory://local/deep/er/source' });
    await sync(engine, { target: 'memory://local/other place/source' });
    const listed = async (path: string): Promise<string[]> =>
      (await engine.ls({ path })).entries.map(({ name, type, path: uri }) =>
        [name, type, uri].join(' '),
      );
    assert.equal(await listed('memory://local'), [
      'deep dir memory://local/deep',
      ...targets.map((target) => `${target.slice('memory://local/'.length)} dir ${target}`),
      'other place dir memory://local/other%20place',
    ]);
    assert.equal(await listed('memory://local/deep/'), ['er dir memory://local/deep/er']);
    assert.equal(await listed('memory://local/other place'), [
      'source dir memory://local/other%20place/source',
    ]);
    assert.is((await engine.ls({ path: 'memory://local/deep/er/source' })).entries.length, 1);
    for (const path of ['memory://local/de', 'memory://none', 'other://'])
      assert.is(await codeOf(engine.ls({ path })), 'not_found', path);
  }));

test('finds the innermost source of a very deep path', async () => {
  const world = new World();
  world.source.set(`${'d/'.repeat(100)}a.txt`, text);
  const engine = await world.open();
  await sync(engine, { target: 'memory://local/outer' });
  await sync(engine, { target: 'memory://local/outer/d' });
  const path = `memory://local/outer/${'d/'.repeat(100)}a.txt`;
  const inner = await engine.inspect({ target: path });
  assert.is(inner.root_uri, 'memory://local/outer/d');
  await engine.close();
});

test('closes idle connectors and opens them again', async () => {
  using clock = new ManualClock(5000, { date: true });
  const events: string[] = [];
  const world = new World();
  const counting = defineConnector({
    keys: ['counting'],
    configSchema: { type: 'object', properties: {} },
    create: () => {
      events.push('open');
      const entry = { path: 'a.txt', size: null, modifiedAt: null, fingerprint: '1' } as const;
      return {
        async *list() {
          yield entry;
        },
        read: async () => ({ bytes: Buffer.from(text) }),
        close: async () => void events.push('close'),
      };
    },
  });
  const engine = await world.open({ plugins: [counting] });
  await sync(engine, { target: 'counting://here' });
  events.length = 0;
  clock.advance(310_000);
  clock.advance(310_000);
  assert.equal(events, ['close']);
  assert.is((await engine.cat({ path: 'counting://here/a.txt' })).content, text);
  assert.equal(events, ['close', 'open']);
  await engine.close();
  assert.equal(events, ['close', 'open', 'close']);
});

test.run();
