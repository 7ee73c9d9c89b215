import type { SourceCall } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { found, root, sync, World } from './support/engine.js';

const test = suite('changes of records');

/** Runs with a source that reports changes of single records. `take` returns its calls since the last `take`. */
async function inWorld(
  use: (world: World, sync: () => Promise<void>, take: () => SourceCall[]) => Promise<void>,
): Promise<void> {
  const world = new World();
  const calls: SourceCall[] = [];
  world.source.onCall = (call) => void calls.push(call);
  const engine = await world.open({ connector: { incremental: true } });
  try {
    await use(
      world,
      async () => void (await sync(engine)),
      () => calls.splice(0),
    );
    assert.equal(await found(engine, 'quince'), [`${root}/fruit`]);
  } finally {
    await engine.close();
  }
}

function fruit(id: number, name: string) {
  return { key: { id }, fields: { name } };
}

test('use the stored entry instead of asking the source', () =>
  inWorld(async (world, runSync, take) => {
    const options = { fields: { garden: 'north' }, mediaType: 'text/x-fruit' };
    world.source.set('fruit', [fruit(1, 'apple'), fruit(2, 'pear')], options);
    await runSync();
    assert.equal(
      take().map(({ method }) => method),
      ['records'],
    );
    world.source.putRecord('fruit', fruit(2, 'quince'));
    await runSync();
    assert.equal(take(), []);
    const rows = await world.rows();
    assert.equal(
      rows
        .map(
          ({ content, fields, mediaType }) => `${content} ${String(fields['garden'])} ${mediaType}`,
        )
        .sort(),
      ['name: apple north text/x-fruit', 'name: quince north text/x-fruit'],
    );
  }));

test('ask the source about an object that is not completely indexed', () =>
  inWorld(async (world, runSync, take) => {
    world.source.set('fruit', [fruit(1, 'apple')]);
    world.source.failReading.set('fruit', new Error('not now'));
    await runSync();
    world.source.failReading.clear();
    take();
    world.source.putRecord('fruit', fruit(2, 'quince'));
    await runSync();
    const { identity } = world.source.entry('fruit') ?? {};
    assert.equal(take(), [
      { method: 'stat', path: 'fruit', identity },
      { method: 'records', path: 'fruit', identity },
    ]);
  }));

test.run();
