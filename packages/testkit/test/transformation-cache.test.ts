import type { TransformationCache } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { transformationCacheCases } from '../src/index.js';
import { memoryCache, transformationCacheMutants } from './mutants/transformation-caches.js';

const test = suite('transformation cache suite');

type Mutant = (good: TransformationCache) => Partial<TransformationCache>;

async function failures(mutant: Mutant): Promise<string[]> {
  const failed: string[] = [];
  for (const each of transformationCacheCases) {
    const good = await memoryCache();
    const cache = { ...methods(good), ...mutant(good) };
    await each.run({ open: async () => cache }).catch(() => failed.push(each.id));
  }
  return failed;
}

function methods(cache: TransformationCache): TransformationCache {
  return {
    getMany: (keys) => cache.getMany(keys),
    putMany: (entries) => cache.putMany(entries),
    prune: (maxBytes) => cache.prune(maxBytes),
    close: () => cache.close(),
  };
}

test('the memory cache passes', async () => {
  assert.equal(await failures(() => ({})), []);
});

for (const { id } of transformationCacheCases) {
  test(`fails only ${id} for its mutant`, async () => {
    const mutant = transformationCacheMutants[id];
    assert.ok(mutant !== undefined, 'there is a mutant');
    assert.equal(await failures(mutant), [id]);
  });
}

test.run();
