import { TroveError, type SourceRecord } from '@trove/core';
import type { Engine, EngineOptions } from '@trove/engine';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { NumberSet } from '../src/ingest/records/number-set.js';
import { alteredIndex, found, root, sync, World } from './support/engine.js';

const test = suite('records as units of replacement');

function fruit(id: number, name: string, more: Partial<SourceRecord> = {}): SourceRecord {
  return { key: { id }, fields: { name }, ...more };
}

/**
 * `written`: the contents of the rows of each group written since the last call; '' for a removed one. `failures`: errors
 * of the next writes.
 */
async function inWorld(
  use: (engine: Engine, world: World, written: () => string[], failures: Error[]) => Promise<void>,
  options: Partial<EngineOptions> & { incremental?: boolean; keysOnly?: boolean } = {},
): Promise<void> {
  const { incremental = false, keysOnly = true, ...rest } = options;
  const world = new World();
  const seen: string[] = [];
  const failures: Error[] = [];
  const index = alteredIndex(world.storage, (collection) => {
    const replace = collection.replace.bind(collection);
    collection.replace = async (groups, given) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      for (const { rows } of groups) seen.push(rows.map(({ content }) => content).join());
      return replace(groups, given);
    };
  });
  const engine = await world.open({
    index: { uri: 'altered://index' },
    plugins: [index],
    connector: { incremental, keysOnly },
    ...rest,
  });
  try {
    await use(engine, world, () => seen.splice(0).sort(), failures);
  } finally {
    await engine.close();
  }
}

test('unchanged records cost no write, and changed ones are replaced alone', () =>
  inWorld(async (engine, world, written) => {
    const names = ['apple', 'pear', 'plum'];
    world.source.set(
      'fruit',
      names.map((name, id) => fruit(id, name)),
    );
    const first = await sync(engine);
    assert.equal([first.added, first.chunks], [1, 3]);
    written();
    world.source.set('fruit', [fruit(0, 'apple'), fruit(1, 'quince'), fruit(3, 'fig')]);
    const second = await sync(engine);
    assert.equal([second.changed, second.chunks], [1, 2]);
    assert.equal(written(), ['', 'name: fig', 'name: quince']);
    assert.is((await engine.status()).connectors[0]?.chunk_count, 3);
    for (const name of ['pear', 'plum']) assert.equal(await found(engine, name), []);
    for (const name of ['apple', 'quince', 'fig'])
      assert.equal(await found(engine, name), [`${root}/fruit`]);
    const third = await sync(engine);
    assert.equal([third.unchanged, third.chunks], [1, 0]);
    world.source.set('fruit', [fruit(0, 'apple'), fruit(1, 'quince'), fruit(3, 'fig')]);
    const fourth = await sync(engine);
    assert.equal([fourth.unchanged, fourth.chunks, written()], [1, 0, []]);
  }));

test('an equal version means an unchanged record', () =>
  inWorld(async (engine, world, written) => {
    const set = (name: string, version: string) =>
      world.source.set('fruit', [fruit(1, name, { version })]);
    set('apple', 'v1');
    await sync(engine);
    written();
    set('pear', 'v1');
    await sync(engine);
    assert.equal(written(), []);
    set('pear', 'v2');
    await sync(engine);
    assert.equal(written(), ['name: pear']);
  }));

test('a full sync and a changed rule index all records again', () =>
  inWorld(async (engine, world, written) => {
    world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'pear')]);
    await sync(engine);
    written();
    await sync(engine, { full: true });
    assert.equal(written(), ['name: apple', 'name: pear']);
    const objects = [{ match: '/fruit', metadata_fields: [] }];
    await sync(engine, { config: { objects }, update: true });
    assert.equal(written(), ['name: apple', 'name: pear']);
    assert.is((await engine.status()).connectors[0]?.chunk_count, 2);
  }));

test('a truncated record is reported by its object', () =>
  inWorld(
    async (engine, world) => {
      const others = ['apple', 'pear', 'plum'].map((name, id) => fruit(id, name));
      const long = `${'word '.repeat(60)}quince`;
      const statusOf = async () => (await engine.ls({ path: `${root}/fruit` })).entries[0];
      const all = [...others, fruit(3, long, { text: long })];
      world.source.set('fruit', all);
      const job = await sync(engine);
      assert.equal([job.status, job.chunks], ['succeeded', 5]);
      assert.is((await statusOf())?.search_status, 'partial');
      assert.match((await statusOf())?.reason ?? '', 'first 2 chunks');
      assert.equal(await found(engine, 'quince'), []);
      assert.equal(await found(engine, 'plum'), [`${root}/fruit`]);
      world.source.set('fruit', all);
      assert.is((await sync(engine)).unchanged, 1);
      assert.is((await statusOf())?.search_status, 'partial');
      world.source.set('fruit', others);
      await sync(engine);
      assert.is((await statusOf())?.search_status, 'indexed');
    },
    { ingest: { chunkMax: 2, chunkChars: 100 } },
  ));

for (const [what, change] of Object.entries({
  'is gone': (world: World) => world.source.remove('fruit'),
  'became a text': (world: World) => world.source.set('fruit', 'nothing but a text'),
  'is left out': () => undefined,
  moved: (world: World) => world.source.rename('fruit', 'basket'),
})) {
  test(`a table that ${what} leaves no records under its name`, () =>
    inWorld(async (engine, world) => {
      world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'pear')]);
      await sync(engine);
      change(world);
      const objects = what === 'is left out' ? [{ match: '/fruit', indexable: false }] : [];
      await sync(engine, { config: { objects }, update: true });
      const left = what === 'moved' ? [`${root}/basket`] : [];
      assert.equal(await found(engine, 'apple'), left);
      const [collection] = world.storage.collections.values();
      const chunks = (await engine.status()).connectors[0]?.chunk_count;
      assert.is(await collection?.count(), chunks);
    }));
}

test('a text that becomes a table leaves no rows', () =>
  inWorld(async (engine, world) => {
    world.source.set('fruit', 'a text about cherries');
    await sync(engine);
    world.source.set('fruit', [fruit(1, 'apple')]);
    await sync(engine);
    assert.equal(await found(engine, 'cherries'), []);
    assert.equal(await found(engine, 'apple'), [`${root}/fruit`]);
  }));

test('only reported records are written, without reading the object', () =>
  inWorld(
    async (engine, world, written) => {
      world.source.set(
        'fruit',
        ['apple', 'pear', 'plum'].map((name, id) => fruit(id, name)),
      );
      await sync(engine);
      written();
      world.source.failReading.set('fruit', new Error('read'));
      world.source.putRecord('fruit', fruit(1, 'quince'));
      world.source.putRecord('fruit', fruit(3, 'fig'));
      world.source.removeRecord('fruit', { id: 2 });
      const job = await sync(engine);
      assert.equal([job.status, job.changed, job.chunks], ['succeeded', 1, 2]);
      assert.equal(written(), ['', 'name: fig', 'name: quince']);
      assert.is((await engine.status()).connectors[0]?.chunk_count, 3);
      assert.equal((await sync(engine)).total_objects, 0);
      world.source.putRecord('fruit', fruit(3, 'fig'));
      await sync(engine);
      assert.equal(written(), [], 'what is told to have changed, and did not');
    },
    { incremental: true },
  ));

for (const keysOnly of [true, false]) {
  const source = keysOnly ? 'a source of keys' : 'a source';

  test(`finds removed and missed records of ${source} that counts its records`, () =>
    inWorld(
      async (engine, world, written) => {
        const names = ['apple', 'pear', 'plum'];
        world.source.reportsRemovedRecords = false;
        world.source.set(
          'fruit',
          names.map((name, id) => fruit(id, name)),
        );
        await sync(engine);
        written();
        world.source.recordsRead = 0;
        world.source.removeRecord('fruit', { id: 1 });
        world.source.putRecord('fruit', fruit(3, 'fig'));
        const job = await sync(engine);
        assert.equal([job.status, job.changed, job.chunks], ['succeeded', 1, 1]);
        assert.equal(written(), ['', 'name: fig']);
        world.source.putRecord('fruit', fruit(4, 'lemon'));
        world.source.recordEvents.pop();
        world.source.putRecord('fruit', fruit(3, 'date'));
        await sync(engine);
        assert.equal(written(), ['name: date', 'name: lemon']);
        assert.is((await engine.status()).connectors[0]?.chunk_count, 4);
        world.source.putRecord('fruit', fruit(3, 'date'));
        const same = await sync(engine);
        assert.equal([same.changed, same.total_objects, written()], [0, 0, []]);
        assert.is(world.source.recordsRead, keysOnly ? 1 : 3 + 4, 'read beside what was told of');
      },
      { incremental: true, keysOnly },
    ));
}

test('a failed object is read as a whole despite single record changes', () =>
  inWorld(
    async (engine, world) => {
      world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'pear')]);
      world.source.failReading.set('fruit', new Error('not now'));
      await sync(engine);
      world.source.failReading.clear();
      world.source.putRecord('fruit', fruit(3, 'fig'));
      const job = await sync(engine);
      assert.is(job.status, 'succeeded');
      for (const name of ['apple', 'pear', 'fig'])
        assert.equal(await found(engine, name), [`${root}/fruit`]);
    },
    { incremental: true },
  ));

test('records that cannot be written alone are left to a task of the object', () =>
  inWorld(
    async (engine, world, written, failures) => {
      world.source.set('fruit', [fruit(1, 'apple')]);
      await sync(engine);
      written();
      failures.push(new Error('no'));
      world.source.putRecord('fruit', fruit(2, 'pear'));
      const job = await sync(engine);
      assert.equal([job.status, job.changed], ['succeeded', 1]);
      assert.equal([failures, written()], [[], ['name: pear']]);
      assert.equal(await found(engine, 'pear'), [`${root}/fruit`]);
    },
    { incremental: true },
  ));

test('two records with equal text are two hits', () =>
  inWorld(async (engine, world) => {
    world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'apple')]);
    await sync(engine);
    const { results } = await engine.search({ q: 'apple', mode: 'keyword' });
    const ids = new Set(results.map(({ locator }) => locator?.['id']));
    assert.equal(ids, new Set([1, 2]));
  }));

test('an interrupted read keeps its records, and the next one continues', () =>
  inWorld(async (engine, world, written) => {
    const all = Array.from({ length: 3000 }, (_, id) => fruit(id, `fruit ${id}`));
    const broken: SourceRecord = {
      ...fruit(2999, 'rotten'),
      get fields(): never {
        throw new Error('the disk is gone');
      },
    };
    world.source.set('fruit', [...all.slice(0, 2999), broken]);
    const job = await sync(engine);
    assert.is(job.status, 'partial');
    assert.match(job.failures?.[0]?.error ?? '', 'the disk is gone');
    assert.ok(written().length >= 2000);
    world.source.set('fruit', all);
    assert.is((await sync(engine)).status, 'succeeded');
    assert.ok(written().length <= 1000, 'only what was missing is written');
    assert.is((await engine.status()).connectors[0]?.chunk_count, 3000);
  }));

const wrongRecord = 'connector memory: records yielded an invalid record:';

test('an invalid record is left out alone, named, and retried', () =>
  inWorld(async (engine, world, written) => {
    const good = ['apple', 'pear', 'plum'].map((name, id) => fruit(id, name));
    world.source.set('fruit', good);
    await sync(engine);
    written();
    const wrong: unknown[] = [
      { key: 7, fields: {} },
      { ...fruit(2, ''), fields: { name: 1n } },
      fruit(8, '', { text: 'x'.repeat(17_000_000) }),
      fruit(0, 'quince'),
      null,
    ];
    const told = wrong as SourceRecord[];
    world.source.set('fruit', [...good.slice(0, 2), ...told, fruit(3, 'fig')]);
    const job = await sync(engine);
    assert.equal([job.status, job.failed_objects, job.chunks], ['partial', 1, 1]);
    const [failure] = job.failures ?? [];
    assert.equal([failure?.path, failure?.code], ['fruit', 'records_incomplete']);
    for (const part of [
      '5 of its records are not indexed',
      `record 3: ${wrongRecord} \`key\` and \`fields\` must be objects`,
      `{"id":2}: ${wrongRecord} \`fields.name\` cannot be written as JSON`,
      `{"id":8}: ${wrongRecord} \`text\` has more than`,
      'another record has the same key',
      `record 7: ${wrongRecord} \`key\``,
    ])
      assert.match(failure?.error ?? '', part);
    assert.equal(written(), ['name: fig']);
    // The state of a record stays while the record exists.
    for (const name of ['apple', 'pear', 'plum', 'fig'])
      assert.equal(await found(engine, name), [`${root}/fruit`]);
    const [entry] = (await engine.ls({ path: `${root}/fruit` })).entries;
    assert.is(entry?.search_status, 'partial');
    world.source.set('fruit', [...good, fruit(3, 'fig'), fruit(8, 'lemon')]);
    assert.is((await sync(engine)).status, 'succeeded');
    assert.equal(written(), ['name: lemon', 'name: plum']);
    assert.is((await engine.ls({ path: `${root}/fruit` })).entries[0]?.search_status, 'indexed');
  }));

test('the index is not searched for rows of new records', async () => {
  const isNew: boolean[] = [];
  let isFull = false;
  const world = new World();
  const index = alteredIndex(world.storage, (collection) => {
    const replace = collection.replace.bind(collection);
    collection.replace = async (groups, given) => {
      isNew.push(...groups.flatMap((one) => (one.rows.length === 0 ? [] : one.isNew === true)));
      if (isFull && groups.some((one) => one.isNew === true))
        throw new TroveError('storage_unavailable', 'The disk is full.', { retryable: true });
      await replace(groups, given);
    };
  });
  const engine = await world.open({ index: { uri: 'altered://index' }, plugins: [index] });
  const many = Array.from({ length: 3000 }, (_, id) => fruit(id, `apple ${id}`));
  const counted = (): number[] =>
    [true, false].map((one) => isNew.filter((each) => each === one).length);
  const written = async (): Promise<number[]> => {
    isNew.splice(0);
    await sync(engine);
    return counted();
  };
  // The key occurs in an earlier part.
  world.source.set('fruit', [...many, fruit(0, 'another')]);
  assert.equal(await written(), [3000, 1]);
  world.source.set(
    'fruit',
    many.map(({ key: { id } }) => fruit(Number(id), `pear ${id}`)),
  );
  assert.equal(await written(), [0, 3000]);
  // A failed write may have left rows.
  isFull = true;
  world.source.set('nuts', many);
  assert.is((await written())[1], 3000);
  await engine.close();
});

test('a repeated key is detected, however far apart', () =>
  inWorld(async (engine, world, written) => {
    const many = Array.from({ length: 3000 }, (_, id) => fruit(id, `fruit ${id}`));
    const all = [...many, fruit(0, 'another'), fruit(1, 'fruit 1')];
    for (const attempt of ['first', 'second', 'third']) {
      world.source.set('fruit', all);
      const job = await sync(engine);
      assert.is(job.status, 'partial', attempt);
      assert.match(job.failures?.[0]?.error ?? '', '2 of its records are not indexed', attempt);
      if (attempt === 'third') assert.equal(written(), [], 'nothing is written over and over');
      written();
    }
    assert.is((await engine.status()).connectors[0]?.chunk_count, 3000);
    world.source.set('fruit', many);
    assert.is((await sync(engine)).status, 'succeeded');
  }));

test('invalid reported records make the object be read as a whole', () =>
  inWorld(
    async (engine, world, written) => {
      world.source.set('fruit', [fruit(1, 'apple')]);
      await sync(engine);
      written();
      world.source.putRecord('fruit', { ...fruit(2, ''), fields: { name: 1n } });
      world.source.putRecord('fruit', fruit(3, 'fig'));
      const job = await sync(engine);
      assert.equal([job.status, written()], ['partial', ['name: fig']]);
      assert.match(job.failures?.[0]?.error ?? '', '{"id":2}');
      world.source.putRecord('fruit', fruit(2, 'pear'));
      assert.equal([(await sync(engine)).status, written()], ['succeeded', ['name: pear']]);
    },
    { incremental: true },
  ));

test('lost rows are written again, and unknown rows are removed', () =>
  inWorld(async (engine, world, written) => {
    world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'pear')]);
    await sync(engine);
    const [collection] = world.storage.collections.values();
    const { id } = await engine.inspect({ target: root });
    const groups: string[] = [];
    await collection?.groups(String(id), (some) => void groups.push(...some.keys()));
    assert.is(groups.length, 2);
    const signal = new AbortController().signal;
    await collection?.replace([{ group: groups[0] ?? '', rows: [] }], { signal });
    written();
    await sync(engine);
    assert.is(written().length, 1);
    assert.equal(await found(engine, 'apple'), [`${root}/fruit`]);
    assert.equal(await found(engine, 'pear'), [`${root}/fruit`]);
  }));

test('a million numbers take little memory and count once each', () => {
  const numbers = new NumberSet();
  const some = [1, 7, 8, 65_535, 65_536, 5_000_000_000];
  for (const number of [...some, ...some]) numbers.add(number);
  assert.is(numbers.size, some.length);
  for (const number of some) assert.ok(numbers.has(number) && !numbers.has(number + 2));
});

test.run();
