import type { Plugin } from '@trove/core';
import { defineVectorIndex } from '@trove/core/index';
import { defineMetadataStore } from '@trove/core/store';
import { MemoryVectorIndex } from '@trove/testkit';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { World } from './support/engine.js';

const test = suite('maintenance');

/** Parts that currently fail. */
interface Broken {
  is: boolean;
}

/** An index (`measured://index`) that reports its size, or fails if broken. */
function measuredIndex(world: World, broken: Broken): Plugin {
  return defineVectorIndex({
    keys: ['measured'],
    configSchema: { type: 'object' },
    create: () =>
      Object.assign(new MemoryVectorIndex(world.storage), {
        size: async () => {
          if (broken.is) throw new Error('the disk is gone');
          return 42;
        },
      }),
  });
}

/** The store of a world, which counts jobs, or fails if broken. */
function countingStore({ store }: World, broken: Broken): Plugin {
  return defineMetadataStore({
    keys: ['counting'],
    configSchema: store.configSchema,
    create: async (context) => {
      const made = await store.create(context);
      const count = made.jobs.counts.bind(made.jobs);
      made.jobs.counts = async () => {
        if (broken.is) throw new Error('the database is locked');
        return count();
      };
      return made;
    },
  });
}

function said(world: World, words: string): string[] {
  return world.log.filter((line) => line.includes(words));
}

test('a failed measurement and its recovery are logged once', async () => {
  const world = new World();
  const broken = { is: true };
  const engine = await world.open({
    index: { uri: 'measured://index' },
    plugins: [measuredIndex(world, broken)],
  });
  await engine.compact();
  assert.is((await engine.compact()).after.index, null);
  assert.equal(said(world, 'measured'), [
    'warn disk usage cannot be measured {"reason":"index: vector-index measured: size failed: the disk is gone"}',
  ]);
  broken.is = false;
  assert.is((await engine.compact()).after.index, 42);
  assert.is(said(world, 'measured again').length, 1);
  await engine.close();
});

test('a failed count and its recovery are logged once', async () => {
  const world = new World();
  const broken = { is: true };
  const engine = await world.open({
    metadata: { backend: 'counting' },
    plugins: [countingStore(world, broken)],
  });
  for (let time = 1; time <= 2; time++) assert.is((await engine.statistics()).stored, null);
  assert.is(said(world, 'cannot be counted').length, 1);
  assert.is(said(world, 'the database is locked').length, 1);
  broken.is = false;
  assert.equal((await engine.statistics()).stored?.jobs, {});
  assert.is(said(world, 'counted again').length, 1);
  await engine.close();
});

test.run();
