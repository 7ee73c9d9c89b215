// test-timeout: 600
// test-waits
import type { MetadataStore } from '@trove/core/store';
import { MetadataDatabase } from '@trove/test-support/metadata-database.js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

import { metadataStoreCases, metadataStoreCasesFor, type MetadataStorePart } from '../src/index.js';

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
  'alerts',
  'training',
  'tokens',
  'generations',
];

/** Returns a store that records the names of the used parts. */
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
  test(`on SQLite, ${each.id}: ${each.title}`, async () => {
    const database = new MetadataDatabase();
    const used = new Set<MetadataStorePart>();
    try {
      await each.run({
        open: async (namespace, generation) =>
          observed(await database.open(namespace, generation), used),
      });
    } finally {
      await database.close();
    }
    assert.equal(
      each.parts,
      parts.filter((part) => used.has(part)),
    );
  });
}

test('adds cases with each implemented part', () => {
  const counts = parts.map((_, at) => metadataStoreCasesFor(parts.slice(0, at + 1)).length);
  for (const [at, count] of counts.entries()) assert.ok(count > (counts[at - 1] ?? 0), parts[at]);
  assert.is(counts.at(-1), metadataStoreCases.length);
});

test.run();
