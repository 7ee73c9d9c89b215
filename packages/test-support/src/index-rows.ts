import type { CollectionSpec, IndexGroup, IndexRow } from '@trove/core/index';

export const dimension = 8;
export const spec: CollectionSpec = { name: 'default', dimension, embedding: `test/${dimension}` };
export const neverAborted: { readonly signal: AbortSignal } = {
  signal: new AbortController().signal,
};

/** Returns a row with a vector by the number in its id and the given overrides. */
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

/** Returns a group of `size` rows marked with their writer. */
export function groupOf(group: string, size: number, writer = ''): IndexGroup {
  const rows = Array.from({ length: size }, (_, ordinal) =>
    row(`${group}:${writer}:${ordinal}`, group, { ordinal, terms: `common ${writer}` }),
  );
  return { group, rows };
}

export function unit(seed: number): Float32Array {
  const vector = Float32Array.from({ length: dimension }, (_, i) => Math.sin(seed * 7 + i * 3));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
