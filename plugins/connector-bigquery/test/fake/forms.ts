import type { BigQueryWorld, FakeCell, FakeField, FakeTable } from './world.js';

type Json = Readonly<Record<string, unknown>>;

/** Returns a page of items and the token of the next one. Tokens are positions. */
export function cutPage<T>(
  all: readonly T[],
  token: string | null,
  size: number,
): { readonly items: readonly T[]; readonly next: string | null } {
  const start = Number(token ?? 0);
  const end = start + size;
  return { items: all.slice(start, end), next: end < all.length ? String(end) : null };
}

/** An empty list is left out. */
export function rowsForm(rows: readonly (readonly FakeCell[])[]): Json {
  return rows.length === 0 ? {} : { rows: rows.map((row) => ({ f: row.map((v) => ({ v })) })) };
}

export function fieldsForm(fields: readonly FakeField[]): readonly Json[] {
  return fields.map(({ fields: members, ...field }) => ({
    ...field,
    ...(members === undefined ? {} : { fields: fieldsForm(members) }),
  }));
}

export function tableForm(world: BigQueryWorld, table: FakeTable): Json {
  const { project } = world;
  const { dataset, name, view, key } = table;
  const isTable = table.type === 'TABLE';
  return {
    kind: 'bigquery#table',
    etag: 'e',
    id: `${project}:${dataset}.${name}`,
    selfLink: `https://bigquery.googleapis.com/bigquery/v2/projects/${project}/datasets/${dataset}/tables/${name}`,
    tableReference: { projectId: project, datasetId: dataset, tableId: name },
    ...(table.comment === null ? {} : { description: table.comment }),
    schema: { fields: fieldsForm(table.fields) },
    numRows: isTable ? String(world.rowsOf(table).length) : '0',
    numBytes: isTable ? String(world.bytesOf(table)) : '0',
    numLongTermBytes: '0',
    creationTime: String(table.createdAt),
    lastModifiedTime: String(table.modifiedAt),
    type: table.type,
    location: 'EU',
    ...(view === null ? {} : { view: { query: view.query, useLegacySql: false } }),
    ...(table.partitions === null ? {} : { timePartitioning: { type: 'DAY' } }),
    ...(key === null ? {} : { tableConstraints: { primaryKey: { columns: key } } }),
    ...(table.streamingRows === 0
      ? {}
      : {
          streamingBuffer: {
            estimatedRows: String(table.streamingRows),
            estimatedBytes: '1',
            oldestEntryTime: String(world.now),
          },
        }),
  };
}
