import { silentLogger } from '@trove/core';
import type { CollectionSpec } from '@trove/core/index';
import { spec } from '@trove/test-support/index-rows.js';
import type { TestPgvector } from '@trove/test-support/pgvector.js';
import type { PgCollection } from '../src/collection.js';
import { PgVectorIndex } from '../src/database.js';
import { type IndexLimits } from '../src/index-limits.js';

/** Opens an index with one connection, which suits servers that serve one at a time. */
export function open(
  { url, isSerial }: Pick<TestPgvector, 'url' | 'isSerial'>,
  limits: IndexLimits = {},
): Promise<PgVectorIndex> {
  const options = isSerial ? { max: 1, idleTimeoutMillis: 10 } : { max: 4 };
  return PgVectorIndex.connect(url, options, silentLogger, limits);
}

/** Runs with a collection and closes it afterwards. */
export async function withCollection(
  server: Pick<TestPgvector, 'url' | 'isSerial'>,
  run: (collection: PgCollection) => Promise<void>,
  opened: CollectionSpec = spec,
  limits: IndexLimits = {},
): Promise<void> {
  const index = await open(server, limits);
  try {
    await run(await index.collection(opened));
  } finally {
    await index.close();
  }
}
