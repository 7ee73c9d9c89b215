import {
  describeTable,
  groupByTable,
  isIncluded,
  findKey,
  type SqlSession,
  type SqlTable,
  type TableFilter,
  type TableName,
} from '@trove/connector-kit/sql';

import { changeTrackingOf } from './change-tracking.js';
import {
  columnsOf,
  jsonColumnsOf,
  nameOf,
  tableOf,
  type ByTable,
  type TableCondition,
  type MysqlColumn,
} from './columns.js';
import { mysql } from './dialect.js';
import { quoteIdentifier } from './names.js';

const systemSchemas = ['mysql', 'information_schema', 'performance_schema', 'sys'];

/** The settings that select tables. */
export interface MysqlTableFilter extends TableFilter {
  /** Null for all readable databases. */
  readonly database: string | null;
}

/** A table or view with its schema. */
export interface ListedTable extends TableName {
  readonly kind: 'table' | 'view';
  readonly comment: string | null;
}

/** Returns the included tables and views. The server lists only readable ones. */
export async function listTables(
  session: SqlSession,
  filter: MysqlTableFilter,
  names: readonly string[] | null = null,
): Promise<ListedTable[]> {
  const { database } = filter;
  const wantedNames = names === null ? [] : [...(database === null ? [] : [database]), ...names];
  const rows = await session.all(
    `select table_schema, table_name, table_type, table_comment from information_schema.tables
     where table_schema not in (${systemSchemas.map(() => '?').join(', ')})
       and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')
       ${database === null ? '' : 'and table_schema = ?'}
       ${names === null ? '' : 'and table_schema = ? and table_name = ?'}
     order by binary table_schema, binary table_name`,
    [...systemSchemas, ...(database === null ? [] : [database]), ...wantedNames],
  );
  return rows
    .map(
      ([schema, name, type, comment]) =>
        ({
          schema: schema ?? '',
          name: name ?? '',
          kind: type === 'VIEW' ? 'view' : 'table',
          comment: comment === '' || comment === 'VIEW' ? null : (comment ?? null),
        }) as const,
    )
    .filter(
      (table) =>
        // The server may compare names without case.
        (names === null || wantedNames.join('\n') === `${table.schema}\n${table.name}`) &&
        isIncluded(filter, table, table.kind === 'view'),
    );
}

/** Returns all included tables, or the one with these names, with their descriptions. */
export async function tablesOf(
  session: SqlSession,
  filter: MysqlTableFilter,
  names: readonly string[] | null,
): Promise<SqlTable<MysqlColumn>[]> {
  const tables = await listTables(session, filter, names);
  const singleTable = tables.length === 1 ? tables[0] : undefined;
  const condition: TableCondition =
    singleTable === undefined
      ? {
          where: `table_schema not in (${systemSchemas.map(() => '?').join(', ')})`,
          values: systemSchemas,
        }
      : {
          where: 'table_schema = ? and table_name = ?',
          values: [singleTable.schema, singleTable.name],
        };
  const columns = await columnsOf(session, condition, await jsonColumnsOf(session, condition));
  const indexes = await indexesOf(session, condition);
  const references = await referencesOf(session, condition);
  const views = await viewsOf(session, condition);
  return tables.map((table) => {
    const name = nameOf(table.schema, table.name);
    return toSqlTable(filter, table, columns.get(name) ?? [], {
      indexes: groupIndexes(indexes.get(name) ?? []),
      references: references.get(name) ?? [],
      sql: views.get(name)?.[0] ?? null,
    });
  });
}

interface TableDetails {
  readonly indexes: readonly MysqlIndex[];
  readonly references: readonly object[];
  readonly sql: string | null;
}

function toSqlTable(
  { database }: MysqlTableFilter,
  table: ListedTable,
  columns: readonly MysqlColumn[],
  { indexes, references, sql }: TableDetails,
): SqlTable<MysqlColumn> {
  const { schema, name, kind } = table;
  // A broken view has no columns.
  const isBroken = kind === 'view' && columns.length === 0;
  const key = keyOf(columns, indexes);
  return {
    names: database === null ? [schema, name] : [name],
    from: `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`,
    columns,
    key,
    changeTracking: changeTrackingOf(columns),
    skip: isBroken ? 'the view refers to a missing or unreadable table' : null,
    description: describeTable(mysql, {
      ...table,
      comment: kind === 'view' ? null : table.comment,
      columns,
      key,
      references,
      indexes: indexes.map(({ name: index, unique, parts }) => ({
        name: index,
        unique,
        columns: parts.map(({ column }) => column),
      })),
      sql,
      // MySQL has no cheap and reliable sign of a write.
      fingerprint: null,
    }),
  };
}

interface MysqlIndexRow {
  readonly name: string;
  readonly unique: boolean;
  readonly column: string | null;
  readonly mayBeKey: boolean;
}

interface MysqlIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly parts: readonly Pick<MysqlIndexRow, 'column' | 'mayBeKey'>[];
}

async function indexesOf(
  session: SqlSession,
  { where, values }: TableCondition,
): Promise<ByTable<MysqlIndexRow>> {
  const rows = await session.all(
    `select table_schema, table_name, index_name, non_unique, column_name,
       nullable <> 'YES' and sub_part is null and index_type = 'BTREE'
     from information_schema.statistics where ${where}
     order by table_schema, table_name, index_name, seq_in_index`,
    values,
  );
  return groupByTable(rows, tableOf, ([, , name, nonUnique, column, isUsable]) => ({
    name: name ?? '',
    unique: nonUnique === '0',
    column: column ?? null,
    mayBeKey: isUsable === '1',
  }));
}

function groupIndexes(rows: readonly MysqlIndexRow[]): MysqlIndex[] {
  const names = [...new Set(rows.map(({ name }) => name))];
  return names.map((name) => {
    const parts = rows.filter((row) => row.name === name);
    return { name, unique: parts.every(({ unique }) => unique), parts };
  });
}

/** Returns the columns of the primary key, or else of the shortest unique index without nulls. */
function keyOf(
  columns: readonly MysqlColumn[],
  indexes: readonly MysqlIndex[],
): readonly MysqlColumn[] | null {
  const rank = ({ name, parts }: MysqlIndex): number => (name === 'PRIMARY' ? 0 : parts.length);
  // Floating-point numbers lose digits as text.
  const exact = columns.filter(({ form }) => form !== 'float' && form !== 'hidden');
  const uniqueIndexes = indexes.filter(
    ({ unique, parts }) => unique && parts.every((each) => each.mayBeKey),
  );
  const names = uniqueIndexes
    .sort((a, b) => rank(a) - rank(b))
    .map(({ parts }) => parts.map(({ column }) => column));
  return findKey(exact, names);
}

async function referencesOf(
  session: SqlSession,
  { where, values }: TableCondition,
): Promise<ByTable<object>> {
  const rows = await session.all(
    `select table_schema, table_name, column_name, referenced_table_schema, referenced_table_name,
       referenced_column_name
     from information_schema.key_column_usage
     where ${where} and referenced_table_name is not null
     order by table_schema, table_name, constraint_name, ordinal_position`,
    values,
  );
  return groupByTable(rows, tableOf, ([, , column, schema, table, to]) => ({
    column,
    table: `${schema}.${table}`,
    to,
  }));
}

async function viewsOf(
  session: SqlSession,
  { where, values }: TableCondition,
): Promise<ByTable<string | null>> {
  const rows = await session.all(
    `select table_schema, table_name, view_definition from information_schema.views where ${where}`,
    values,
  );
  return groupByTable(rows, tableOf, ([, , sql]) => (sql === '' ? null : (sql ?? null)));
}
