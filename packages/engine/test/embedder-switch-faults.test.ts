// test-waits
import type { Plugin, TroveError } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { ManualClock } from '@trove/test-support/manual-clock.js';
import { waitUntil } from '@trove/test-support/waiting.js';
import { alteredIndex, found, root, World } from './support/engine.js';
import {
  close,
  closeAll,
  embedder,
  held,
  indexed,
  minutesPass,
  nearness,
  open,
  progress,
} from './support/switching.js';

const test = suite('switching embedders with faults');
test.after.each(closeAll);

/** Counts how often stores opened from now on list other generations. */
function countLooks({ store }: World): () => number {
  let count = 0;
  const create = store.create.bind(store);
  store.create = async (context) => {
    const made = await create(context);
    const ask = made.generations.listOthers.bind(made.generations);
    made.generations.listOthers = () => {
      count++;
      return ask();
    };
    return made;
  };
  return () => count;
}

/** The stores opened from now on, in order. */
function storesOf({ store }: World): readonly MetadataStore[] {
  const stores: MetadataStore[] = [];
  const create = store.create.bind(store);
  store.create = async (context) => {
    const made = await create(context);
    stores.push(made);
    return made;
  };
  return stores;
}

test('a sync of a former embedder is done with the next one', async () => {
  const world = new World();
  world.source.set('a.md', 'red apples');
  const before = await open(world, embedder('first', 64), { works: false });
  await before.add({ target: root });
  await close(before);
  const engine = await open(world, embedder('second'));
  await waitUntil(async () => (await found(engine, 'apples')).length === 1, 'it is indexed');
  await minutesPass(async () => {
    const jobs = await engine.jobs();
    return jobs.some(({ status }) => status === 'cancelled');
  }, 'what the former one had to do is forgotten');
  const jobs = (await engine.jobs()).map(({ trigger, status }) => `${trigger} ${status}`);
  assert.equal(jobs.sort(), ['embedder succeeded', 'manual cancelled']);
});

test('a former index that cannot be opened does not block the next one', async () => {
  const world = await indexed(embedder('first', 64));
  const plugins: Plugin[] = [
    alteredIndex(world.storage, ({ name }) => {
      if (name === 'default_chunks') throw new Error('the disk is broken');
    }),
  ];
  const engine = await open(world, embedder('second'), {
    plugins,
    index: { uri: 'altered://index' },
  });
  await waitUntil(async () => (await progress(engine)) === null, 'the new embedder takes over');
  await waitUntil(async () => (await found(engine, 'apples')).length === 1, 'it is indexed');
});

test('incomparable vectors leave all objects searchable', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  const embed = second.embed.bind(second);
  second.embed = async (texts, options) =>
    (await embed(texts, options)).map((vector) => vector.fill(Number.NaN));
  const engine = await open(world, second);
  await waitUntil(
    async () => (await engine.jobs({ status: 'partial' })).length > 0,
    'its job ends',
  );
  assert.is((await progress(engine))?.sources_done, 0);
  assert.is((await found(engine, 'apples')).length, 1);
  second.embed = embed;
  await minutesPass(async () => (await progress(engine)) === null, 'it is tried again');
  assert.ok(Number(await nearness(engine)) > 0.1);
});

test('a changed dimension leaves all objects searchable', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  second.embed = async (texts) => texts.map(() => new Float32Array(7).fill(1));
  const engine = await open(world, second);
  await waitUntil(
    async () => (await engine.jobs({ status: 'partial' })).length > 0,
    'its job ends',
  );
  const { sources_done, objects_done } = (await progress(engine)) ?? {};
  assert.equal([sources_done, objects_done], [0, 0]);
  assert.is((await found(engine, 'apples')).length, 1);
});

test('sleep and clock changes do not delete generations in use', async () => {
  const first = embedder('first', 64);
  const world = await indexed(first);
  const looks = countLooks(world);
  const [old, fresh] = [await open(world, first), await open(world, embedder('second'))];
  await waitUntil(async () => (await progress(fresh)) === null, 'the new embedder takes over');
  const bothLook = async (): Promise<void> => {
    const before = looks();
    await waitUntil(() => looks() >= before + 8, 'both look');
  };
  await bothLook();
  const now = Date.now;
  try {
    Date.now = () => now() + 86_400_000;
    await bothLook();
  } finally {
    Date.now = now;
  }
  assert.is(world.storage.collections.size, 2);
  assert.is((await found(old, 'apples')).length, 1);
});

test('a server whose generation was deleted fails and deletes nothing', async () => {
  const first = embedder('first', 64);
  const world = await indexed(first);
  const looks = countLooks(world);
  const stores = storesOf(world);
  using clock = new ManualClock(15_000);
  const old = await open(world, first, { works: false });
  const fresh = await open(world, embedder('second'));
  await waitUntil(async () => (await progress(fresh)) === null, 'the new embedder takes over');
  assert.is(await stores[1]?.generations.drop(1, 0), true);
  let reason: TroveError | null = null;
  void old.superseded.then((error) => (reason = error));
  old.startWorker();
  await waitUntil(() => looks() > 3, 'both look');
  assert.is(reason, null);
  await waitUntil(() => {
    clock.advance(15_000);
    return reason !== null;
  }, 'it is said');
  assert.match(String(reason), /another embedder deleted the generation/);
  assert.match(
    world.log.join('\n'),
    /error Another process with another embedder deleted the generation/,
  );
  assert.is((await found(fresh, 'apples')).length, 1);
});

test('switches between three embedders', async () => {
  const world = await indexed(embedder('first', 64));
  const second = embedder('second');
  held(second);
  const engine = await open(world, second);
  await waitUntil(async () => (await engine.jobs({ status: 'running' })).length > 0, 'a job runs');
  await close(engine);
  const third = embedder('third', 16);
  const release = held(third);
  const last = await open(world, third);
  assert.equal((await progress(last))?.from, ['first/64']);
  assert.is((await found(last, 'apples')).length, 1);
  release();
  await waitUntil(async () => (await progress(last)) === null, 'the third takes over');
  await minutesPass(() => world.storage.collections.size === 1, 'the former indexes are removed');
  assert.equal([...world.storage.collections.keys()], ['default_chunks_3']);
});

test('removing a source with the former embedder removes its new rows, too', async () => {
  const first = embedder('first', 64);
  const world = await indexed(first);
  let writes = (): void => undefined;
  const isWriting = new Promise<void>((resolve) => (writes = resolve));
  let isRemoved = (): void => undefined;
  const removed = new Promise<void>((resolve) => (isRemoved = resolve));
  let isWritten = false;
  const slow = alteredIndex(world.storage, (collection) => {
    const { name, replace } = collection;
    if (name !== 'default_chunks_2') return;
    collection.replace = async (...given) => {
      writes();
      await removed;
      await replace.apply(collection, given);
      isWritten = true;
    };
  });
  const old = await open(world, first);
  const fresh = await open(world, embedder('second'), {
    plugins: [slow],
    index: { uri: 'altered://index' },
  });
  await isWriting;
  await old.remove({ target: root });
  isRemoved();
  const counts = async (): Promise<number[]> =>
    Promise.all([...world.storage.collections.values()].map((each) => each.count()));
  await waitUntil(async () => isWritten && String(await counts()) === '0,0', 'nothing is left');
  assert.equal(await found(fresh, 'apples'), []);
});

test.run();
