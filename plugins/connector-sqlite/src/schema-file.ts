import type { Relation } from './catalog.js';
import type { Reader } from './reader.js';

/** What there is to know about a table or view without its rows, as JSON. */
export async function schemaOf(
  reader: Reader,
  relation: Relation,
  keyNames: readonly string[] | null,
): Promise<object> {
  const { name, kind, columns } = relation;
  return {
    name,
    kind,
    columns: columns.map(({ inKey, ...column }) => ({ ...column, primaryKey: inKey > 0 })),
    key: keyNames,
    references: await referencesOf(reader, name),
    indexes: await indexesOf(reader, name),
    sql: await statementOf(reader, name),
  };
}

async function referencesOf(reader: Reader, name: string): Promise<unknown[]> {
  const rows = await reader.all(
    `select "from", "table", "to" from pragma_foreign_key_list($name) order by id, seq`,
    { $name: name },
  );
  return rows.map(({ from, table, to }) => ({ column: from, table, to }));
}

async function indexesOf(reader: Reader, name: string): Promise<unknown[]> {
  const rows = await reader.all(
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

async function statementOf(reader: Reader, name: string): Promise<unknown> {
  const [row] = await reader.all('select sql from main.sqlite_schema where name = $name', {
    $name: name,
  });
  return row?.['sql'] ?? null;
}
