import type { Logger, Plugin } from '@trove/core';
import { defineVectorIndex, type Collection } from '@trove/core/index';
import { defineMetadataStore, type MetadataStore } from '@trove/core/store';
import { MemoryVectorIndex, MemoryVectorStorage, testWorkers } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { rejection } from '@trove/test-support/rejection.js';
import { createAbortController } from '../src/abort.js';
import { DisposalStack } from '../src/disposal.js';
import { KnownSecrets } from '../src/plugins/known-secrets.js';
import { openMetadataStore, openVectorIndex, type PluginEnvironment } from '../src/open-plugins.js';
import { guardMembers } from '../src/plugins/guarded-members.js';
import { PluginRegistry } from '../src/plugins/registry.js';

const test = suite('opening plugins');
const generation = { embedding: 'test/4', dimension: 4 };
const spec = { name: 'default_chunks', dimension: 4, embedding: 'test/4' };

async function withOpening(
  plugin: Plugin,
  use: (opening: PluginEnvironment) => Promise<void>,
): Promise<void> {
  const write: Logger['info'] = () => undefined;
  const logger = { debug: write, info: write, warn: write, error: write };
  const disposal = new DisposalStack(logger);
  const registry = new PluginRegistry({ plugins: [plugin] });
  try {
    await use({
      registry,
      logger,
      signal: createAbortController().signal,
      disposal,
      secrets: new KnownSecrets(),
      workers: testWorkers,
    });
  } finally {
    await disposal.dispose(5000);
  }
}

function index(alter: (collection: Collection, index: MemoryVectorIndex) => unknown): Plugin {
  return defineVectorIndex({
    keys: ['altered'],
    configSchema: { type: 'object', properties: { token: { type: 'string', writeOnly: true } } },
    create: () => {
      const made = new MemoryVectorIndex(new MemoryVectorStorage());
      const open = made.collection.bind(made);
      made.collection = async (wanted) => {
        const collection = await open(wanted);
        alter(collection, made);
        return collection;
      };
      return made;
    },
  });
}

const options = { uri: 'altered://index', config: { token: 'open-sesame' } };

const databases: MetadataDatabase[] = [];

test.after.each(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
});

function altered(alter: (store: MetadataStore) => MetadataStore): Plugin {
  const database = new MetadataDatabase();
  databases.push(database);
  return defineMetadataStore({
    keys: ['altered'],
    configSchema: { type: 'object' },
    create: async () => alter({ ...(await database.open('default', generation)) }),
  });
}

function openStore(opening: PluginEnvironment): Promise<MetadataStore> {
  return openMetadataStore(opening, { backend: 'altered' }, 'default', generation);
}

test('a store or index has only the members of its contract', () =>
  withOpening(
    index(() => undefined),
    async (opening) => {
      const opened = await openVectorIndex(opening, options);
      const collection = await opened.collection(spec);
      assert.is(collection.name, 'default_chunks');
      assert.is(await collection.count(), 0);
      assert.equal(
        ['then', 'size', 'constructor'].filter((name) => Object.hasOwn(collection, name)),
        [],
      );
      const members = ['close', 'collection', 'collections', 'drop', 'size'];
      assert.equal(Object.keys(opened).sort(), members);
    },
  ));

test('an optional method may be missing, a required one may not', () => {
  interface Contract {
    find(): Promise<number>;
    tell?(): Promise<number>;
  }
  const members = { find: 'method', tell: 'optional method' } as const;
  const call = async (_: string, use: () => unknown): Promise<unknown> => use();
  const without = guardMembers<Contract>('index x', { find: async () => 1 }, members, call);
  assert.is(without.tell, undefined);
  const own = { find: async () => 1, tell: async () => 2 };
  const whole = guardMembers<Contract>('index x', own, members, call);
  assert.type(whole.tell, 'function');
  assert.throws(
    () => guardMembers<Contract>('index x', JSON.parse('{}'), members, call),
    'index x: `find` must be a method',
  );
});

test('a store without a required method is refused on opening', () =>
  withOpening(
    defineMetadataStore({
      keys: ['short'],
      configSchema: { type: 'object' },
      create: () => ({ close: async () => {} }) as never,
    }),
    async (opening) => {
      const error = await rejection(() =>
        openMetadataStore(opening, { backend: 'short' }, 'default', generation),
      );
      assert.is(error.code, 'plugin_invalid');
      assert.match(error.message, 'metadata-store short: `sources.register` must be a method');
    },
  ));

test('a missing nested method is named with its parent', () =>
  withOpening(
    altered((store) => ({ ...store, tasks: JSON.parse('{}') })),
    async (opening) => {
      const error = await rejection(() => openStore(opening));
      assert.is(error.code, 'plugin_invalid');
      assert.match(error.message, 'metadata-store altered: `tasks.claim` must be a method');
    },
  ));

test('nested methods of a store are guarded', () =>
  withOpening(
    altered((store) => {
      store.jobs.running = async () => {
        throw new Error('the disk is gone');
      };
      return Object.assign(store, { jobs: Object.assign(store.jobs, { other: () => 1 }) });
    }),
    async (opening) => {
      const store = await openStore(opening);
      const error = await rejection(() => store.jobs.running());
      assert.is(error.code, 'storage_unavailable');
      assert.is(error.message, 'metadata-store altered: jobs.running failed: the disk is gone');
      assert.not.ok(Object.hasOwn(store.jobs, 'other'));
      assert.equal(await store.jobs.counts(), {});
      const reader = await store.generations.reader(1);
      assert.equal(await reader.sources.list(), []);
    },
  ));

test('a store closes after calls of nested methods', async () => {
  const seen: string[] = [];
  let finish = (): void => undefined;
  const plugin = altered((store) => {
    store.tasks.countOpen = () =>
      new Promise((resolve) => {
        finish = () => {
          seen.push('counted');
          resolve(0);
        };
      });
    store.close = async () => void seen.push('closed');
    return store;
  });
  await withOpening(plugin, async (opening) => {
    const store = await openStore(opening);
    const count = store.tasks.countOpen('j1');
    // The call has reached the plugin by then.
    await new Promise((resolve) => setImmediate(resolve));
    const closing = store.close();
    assert.is((await rejection(() => store.tasks.countOpen('j1'))).code, 'engine_closed');
    finish();
    await Promise.all([count, closing]);
  });
  assert.equal(seen, ['counted', 'closed']);
});

test('errors of a collection contain no secrets of its index', () =>
  withOpening(
    index((collection) => {
      collection.count = async () => {
        throw new Error('refused open-sesame');
      };
    }),
    async (opening) => {
      const opened = await openVectorIndex(opening, options);
      const collection = await opened.collection(spec);
      const error = await rejection(() => collection.count());
      assert.is(error.code, 'storage_unavailable');
      assert.is(error.message, 'vector-index altered: count failed: refused ***');
      assert.not.match(String((error.cause as Error).stack), 'open-sesame');
    },
  ));

test('an index closes once, after the calls of its collections', async () => {
  const seen: string[] = [];
  let finish = (): void => undefined;
  const plugin = index((collection, made) => {
    collection.count = () =>
      new Promise((resolve) => {
        finish = () => {
          seen.push('counted');
          resolve(0);
        };
      });
    made.close = async () => void seen.push('closed');
  });
  await withOpening(plugin, async (opening) => {
    const opened = await openVectorIndex(opening, options);
    const collection = await opened.collection(spec);
    const count = collection.count();
    // The call has reached the plugin by then.
    await new Promise((resolve) => setImmediate(resolve));
    const closing = opened.close();
    assert.is((await rejection(() => collection.count())).code, 'engine_closed');
    finish();
    await Promise.all([count, closing]);
  });
  assert.equal(seen, ['counted', 'closed']);
});

test.run();
