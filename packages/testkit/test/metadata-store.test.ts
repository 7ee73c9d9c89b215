import type { MetadataStore } from '@trove/core/store';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import {
  MemoryMetadata,
  metadataStoreCases,
  metadataStoreCasesFor,
  type MetadataStorePart,
} from '../src/index.js';

const test = suite('metadata store suite');
/** In the order in which the documentation tells authors to implement them. */
const parts: readonly MetadataStorePart[] = [
  'sources',
  'jobs',
  'listings',
  'tasks',
  'leases',
  'objects',
  'records',
  'summaries',
  'graphs',
  'training',
  'generations',
];

/** The store, which adds the names of the parts that are used. */
function observed(store: MetadataStore, used: Set<MetadataStorePart>): MetadataStore {
  return new Proxy(store, {
    get: (target, name): unknown => {
      const part = parts.find((each) => each === name);
      if (part !== undefined) used.add(part);
      return Reflect.get(target, name);
    },
  });
}

for (const each of metadataStoreCases) {
  test(`in memory, ${each.id}: ${each.title}`, async () => {
    const metadata = new MemoryMetadata();
    const used = new Set<MetadataStorePart>();
    await each.run({
      open: async (namespace, edition) => observed(metadata.open(namespace, edition), used),
    });
    assert.equal(
      each.parts,
      parts.filter((part) => used.has(part)),
    );
  });
}

test('each part that is implemented next adds cases', () => {
  const counts = parts.map((_, at) => metadataStoreCasesFor(parts.slice(0, at + 1)).length);
  for (const [at, count] of counts.entries()) assert.ok(count > (counts[at - 1] ?? 0), parts[at]);
  assert.is(counts.at(-1), metadataStoreCases.length);
});

test.run();
