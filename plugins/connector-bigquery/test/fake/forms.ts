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

export function wantsMicros(query: URLSearchParams): boolean {
  return query.get('formatOptions.useInt64Timestamp') === 'true';
}

/** An empty list is left out. `inMicros`: whether the request wants timestamps as microseconds. */
export function rowsForm(
  fields: readonly FakeField[],
  rows: readonly (readonly FakeCell[])[],
  inMicros: boolean,
): Json {
  if (rows.length === 0) return {};
  const cellsOf = (row: readonly FakeCell[]): readonly Json[] =>
    row.map((cell, at) => ({ v: cellForm(fields[at], cell, inMicros) }));
  return { rows: rows.map((row) => ({ f: cellsOf(row) })) };
}

/** Without the option, timestamps are seconds in scientific notation. */
function cellForm(field: FakeField | undefined, cell: FakeCell, inMicros: boolean): FakeCell {
  if (inMicros || field === undefined) return cell;
  if (Array.isArray(cell)) {
    return cell.map(({ v }) => ({ v: cellForm(field, v, inMicros) }));
  }
  if (field.fields !== undefined && cell !== null) {
    const { f: members }: { readonly f: readonly { readonly v: FakeCell }[] } = Object(cell);
    return { f: members.map(({ v }, at) => ({ v: cellForm(field.fields?.[at], v, inMicros) })) };
  }
  return field.type === 'TIMESTAMP' && /^-?\d+$/.test(String(cell)) ? secondsOf(cell) : cell;
}

function secondsOf(micros: FakeCell): string {
  return (Number(micros) / 1e6).toExponential().replace(/e\+?/, 'E');
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
