import type { Collection, CollectionSpec, IndexRow, VectorIndex } from '@trove/core/index';

/** The subject of the vector index suite. */
export interface VectorIndexSubject {
  /**
   * Opens the index. Reopening shows the same data, like another process. Each case needs an empty subject, and the
   * suite closes its indexes.
   */
  readonly open: () => Promise<VectorIndex>;
}

export const testDimension = 8;
export const spec: CollectionSpec = {
  name: 'default',
  dimension: testDimension,
  embedding: `conformance/1/${testDimension}`,
};

export const live = (): AbortSignal => new AbortController().signal;

/** Runs with a new index and closes it afterwards. */
export async function withIndex(
  { open }: VectorIndexSubject,
  run: (index: VectorIndex) => Promise<void>,
): Promise<void> {
  const index = await open();
  try {
    await run(index);
  } finally {
    await index.close();
  }
}

/** Runs with a new collection. */
export function withCollection(
  subject: VectorIndexSubject,
  run: (collection: Collection) => Promise<void>,
): Promise<void> {
  return withIndex(subject, async (index) => run(await index.collection(spec)));
}

/** Returns a row with a value for every member and the given overrides. */
export function row(id: string, group: string, parts: Partial<IndexRow> = {}): IndexRow {
  return {
    id,
    group,
    scope: 'scope',
    source: `file://local/${group}`,
    kind: 'body',
    ordinal: 0,
    content: `content of ${id}`,
    locator: { lines: [1, 2] },
    title: null,
    mediaType: 'text/plain',
    connectorType: 'file',
    modifiedAt: 1_700_000_000_000,
    fields: {},
    terms: 'common',
    pairs: '',
    vector: axis(0),
    ...parts,
  };
}

/** Returns the unit vector along one axis. */
export function axis(at: number): Float32Array {
  return Float32Array.from({ length: testDimension }, (_, i) => (i === at ? 1 : 0));
}

/** Returns the unit vector in the plane of the first two axes at this angle from the first, in degrees. */
export function angle(degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  const vector = new Float32Array(testDimension);
  vector[0] = Math.cos(radians);
  vector[1] = Math.sin(radians);
  return vector;
}

/** Replaces groups by these rows, each in its own group. */
export async function put(
  collection: Collection,
  rows: readonly IndexRow[],
  emptied: readonly string[] = [],
): Promise<void> {
  const groups = new Map<string, IndexRow[]>(emptied.map((group) => [group, []]));
  for (const each of rows) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  await collection.replace(
    [...groups].map(([group, members]) => ({ group, rows: members })),
    { signal: live() },
  );
}

/** Returns the ids of a group's rows in order. */
export async function idsOf(collection: Collection, group: string): Promise<string[]> {
  return (await collection.rows(group)).map(({ id }) => id);
}
