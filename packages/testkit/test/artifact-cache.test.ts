import type { ArtifactCache } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { artifactCacheCases, MemoryArtifactCache } from '../src/index.js';
import { artifactCacheMutants } from './mutants/artifact-caches.js';

const test = suite('artifact cache suite');

type Mutant = (good: ArtifactCache) => Partial<ArtifactCache>;

async function failures(mutant: Mutant): Promise<string[]> {
  const failed: string[] = [];
  for (const each of artifactCacheCases) {
    const good = new MemoryArtifactCache();
    const cache: ArtifactCache = {
      get: (key) => good.get(key),
      put: (key, value) => good.put(key, value),
      prune: (maxBytes) => good.prune(maxBytes),
      ...mutant(good),
    };
    await each.run({ open: async () => cache }).catch(() => failed.push(each.id));
  }
  return failed;
}

test('the memory cache passes', async () => {
  assert.equal(await failures(() => ({})), []);
});

for (const { id } of artifactCacheCases) {
  test(`only ${id} finds its mutant`, async () => {
    const mutant = artifactCacheMutants[id];
    assert.ok(mutant !== undefined, 'there is a mutant');
    assert.equal(await failures(mutant), [id]);
  });
}

test.run();
