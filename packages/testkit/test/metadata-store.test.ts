import { suite } from 'uvu';

import {
  MemoryMetadata,
  memoryTransformationCache,
  metadataStoreCases,
  transformationCacheCases,
} from '../src/index.js';
import { cacheFrom } from './mutants/transformation-caches.js';

const test = suite('memory stores');

for (const each of metadataStoreCases) {
  test(`${each.id}: ${each.title}`, () => {
    const metadata = new MemoryMetadata();
    return each.run({ open: async (namespace) => metadata.open(namespace) });
  });
}

for (const each of transformationCacheCases) {
  test(`${each.id}: ${each.title}`, async () => {
    const plugin = memoryTransformationCache();
    const cache = await cacheFrom(plugin);
    await each.run({ open: async () => cache });
  });
}

test.run();
