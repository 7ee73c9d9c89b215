import { setImmediate } from 'node:timers/promises';

import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { alteredIndex, found, root, sync, World } from './support/engine.js';

const test = suite('removing a source');

test('a removal that another process finished ends nothing that was registered since', async () => {
  const world = new World();
  world.source.set('a.md', 'red apples');
  let rowsGone = (): void => {};
  const inside = new Promise<void>((resolve) => (rowsGone = resolve));
  let goOn = (): void => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const slow = alteredIndex(world.storage, (collection) => {
    const removeScope = collection.removeScope.bind(collection);
    collection.removeScope = async (scope) => {
      // Both processes share the collection; the other one is not held up.
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
  // It goes on with every removal that it finds.
  await using second = await world.open();
  while ((await second.status()).connectors.length > 0) await setImmediate();
  await sync(second);
  goOn();
  await removing;
  assert.is((await second.status()).connectors.length, 1);
  assert.equal(await found(second, 'apples'), [`${root}/a.md`]);
});

test.run();
