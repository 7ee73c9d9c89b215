import { setImmediate } from 'node:timers/promises';

import type { IndexRow } from '@trove/core/index';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { alteredIndex, found, root, sync, World } from './support/engine.js';

const test = suite('removing a source');

test('a removal finished elsewhere does not affect a new registration', async () => {
  const world = new World();
  world.source.set('a.md', 'red apples');
  let rowsGone = (): void => {};
  const inside = new Promise<void>((resolve) => (rowsGone = resolve));
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow = alteredIndex(world.storage, (collection) => {
    const removeScope = collection.removeScope.bind(collection);
    collection.removeScope = async (scope) => {
      // Both processes share the collection. The other one is not delayed.
      collection.removeScope = removeScope;
      await removeScope(scope);
      rowsGone();
      await held;
    };
  });
  await using first = await world.open({ plugins: [slow], index: { uri: 'altered://index' } });
  await sync(first);
  const removing = first.remove({ target: root });
  await inside;
  // The second engine resumes every removal.
  await using second = await world.open();
  while ((await second.status()).connectors.length > 0) await setImmediate();
  await sync(second);
  goOn();
  await removing;
  assert.is((await second.status()).connectors.length, 1);
  assert.equal(await found(second, 'apples'), [`${root}/a.md`]);
});

test('a sweep deletes rows that a killed worker wrote after the removal', async () => {
  const world = new World();
  const { signal } = new AbortController();
  world.source.set('a.md', 'red apples');
  await using engine = await world.open();
  await sync(engine);
  const [collection] = world.storage.collections.values();
  assert.ok(collection !== undefined);
  const [known = ''] = await collection.otherScopes([]);
  const groups = new Map<string, IndexRow[]>();
  await collection.groups(known, async (some) => {
    for (const group of some.keys()) groups.set(group, await collection.rows(group));
  });
  const rowsOf = (scope: string) =>
    Array.from(groups, ([group, rows]) => ({
      group: `${scope} ${group}`,
      rows: rows.map((row) => ({ ...row, scope, id: `${scope} ${row.id}` })),
    }));
  await collection.replace(rowsOf('gone'), { signal });
  await engine.compact();
  assert.equal(await collection.otherScopes([]), [known]);
  assert.equal(await found(engine, 'apples'), [`${root}/a.md`]);

  await collection.replace(rowsOf('gone too'), { signal });
  await using next = await world.open();
  while ((await collection.otherScopes([known])).length > 0) await setImmediate();
  assert.equal(await found(next, 'apples'), [`${root}/a.md`]);
});

test.run();
