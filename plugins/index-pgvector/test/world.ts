import { silentLogger, type CollectionSpec, type IndexGroup, type IndexRow } from '@trove/core';
import type { PgCollection } from '../src/collection.js';
import { PgVectorIndex, type IndexLimits } from '../src/database.js';
import type { TestPgvector } from '../../../scripts/test-support/pgvector.js';

const dimension = 8;
export const spec = { name: 'default', dimension, embedding: 'test/8' };
export const live = { signal: new AbortController().signal };

/** One connection at a time, which does not keep others waiting. */
export function open(
  { url, takesTurns }: Pick<TestPgvector, 'url' | 'takesTurns'>,
  limits: IndexLimits = {},
): Promise<PgVectorIndex> {
  const options = takesTurns ? { max: 1, idleTimeoutMillis: 10 } : { max: 4 };
  return PgVectorIndex.connect(url, options, silentLogger, limits);
}

/** Runs with a collection, closed afterwards. */
export async function withCollection(
  server: Pick<TestPgvector, 'url' | 'takesTurns'>,
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

export function row(id: string, group: string, parts: Partial<IndexRow> = {}): IndexRow {
  return {
    id,
    group,
    scope: 'scope',
    source: `file://local/${group}`,
    kind: 'body',
    ordinal: 0,
    content: `content of ${id}`,
    locator: null,
    title: null,
    mediaType: null,
    connectorType: 'file',
    modifiedAt: null,
    fields: {},
    terms: `common ${group}`,
    pairs: '',
    vector: unit(Number.parseInt(id.replaceAll(/\D/g, ''), 10) || 0),
    ...parts,
  };
}

/** A group with so many rows, marked by who wrote it. */
export function groupOf(group: string, size: number, writer = ''): IndexGroup {
  const rows = Array.from({ length: size }, (_, ordinal) =>
    row(`${group}:${writer}:${ordinal}`, group, { ordinal, terms: `common ${writer}` }),
  );
  return { group, rows };
}

function unit(seed: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 7 + i * 3));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
