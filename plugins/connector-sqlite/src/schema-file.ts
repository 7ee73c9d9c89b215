import type { SqliteTable } from './catalog.js';
import type { SqliteReader } from './reader.js';

/** Returns the content of a table's `schema.json`. */
export async function schemaOf(
  reader: SqliteReader,
  table: SqliteTable,
  keyFields: readonly string[] | null,
): Promise<object> {
  const { name, kind, columns } = table;
  return {
    name,
    kind,
    columns: columns.map(({ inKey, ...column }) => ({ ...column, primaryKey: inKey > 0 })),
    key: keyFields,
    references: await referencesOf(reader, name),
    indexes: await indexesOf(reader, name),
    sql: await statementOf(reader, name),
  };
}

async function referencesOf(reader: SqliteReader, name: string): Promise<unknown[]> {
  const rows = await reader.query(
    `select "from", "table", "to" from pragma_foreign_key_list($name) order by id, seq`,
    { $name: name },
  );
  return rows.map(({ from, table, to }) => ({ column: from, table, to }));
}

async function indexesOf(reader: SqliteReader, name: string): Promise<unknown[]> {
  const rows = await reader.query(
    `select l.name, l."unique" as isUnique, group_concat(i.name, ', ' order by i.seqno) as columns
     from pragma_index_list($name) l, pragma_index_info(l.name) i group by l.seq order by l.seq`,
    { $name: name },
  );
  return rows.map((row) => ({
    name: row['name'],
    unique: row['isUnique'] === 1,
    columns: row['columns'],
  }));
}

async function statementOf(reader: SqliteReader, name: string): Promise<unknown> {
  const [row] = await reader.query('select sql from main.sqlite_schema where name = $name', {
    $name: name,
  });
  return row?.['sql'] ?? null;
}
