import { suite } from 'uvu';

import { MemoryMetadata, metadataStoreCases } from '../src/index.js';

const test = suite('metadata store suite');

for (const each of metadataStoreCases) {
  test(`in memory, ${each.id}: ${each.title}`, () => {
    const metadata = new MemoryMetadata();
    return each.run({ open: async (namespace, edition) => metadata.open(namespace, edition) });
  });
}

test.run();
