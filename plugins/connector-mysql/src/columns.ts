import {
  groupByTable,
  type CatalogColumn,
  type SqlRow,
  type SqlSession,
} from '@trove/connector-kit/sql';

import { formOf, type TypedColumn } from './values.js';

export interface MysqlColumn extends CatalogColumn, TypedColumn {
  readonly isUnsigned: boolean;
}

/** Values by the key of their table. */
export type ByTable<T> = Map<string, T[]>;

/** Returns the key of a table in these maps. */
export function nameOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

/** A condition over the columns `table_schema` and `table_name`. */
export interface TableCondition {
  readonly where: string;
  readonly values: readonly string[];
}

export async function columnsOf(
  session: SqlSession,
  { where, values }: TableCondition,
  json: ReadonlySet<string>,
): Promise<ByTable<MysqlColumn>> {
  const rows = await session.all(
    `select table_schema, table_name, column_name, column_type, data_type, is_nullable, column_default,
       column_comment
     from information_schema.columns where ${where} order by table_schema, table_name, ordinal_position`,
    values,
  );
  return groupByTable(
    rows,
    tableOf,
    ([schema, table, name, declared, dataType, isNullable, defaultValue, comment]) => {
      const base = (dataType ?? '').toLowerCase();
      const isJson = json.has(JSON.stringify([schema, table, name]));
      return {
        name: name ?? '',
        type: declared ?? '',
        base,
        form: isJson ? 'json' : formOf(base),
        isUnsigned: /unsigned/i.test(declared ?? ''),
        nullable: isNullable === 'YES',
        default: defaultValue === 'NULL' ? null : (defaultValue ?? null),
        comment: comment === '' ? null : (comment ?? null),
      };
    },
  );
}

/** Returns the JSON columns of MariaDB, which are texts with a check. Each is `[schema, table, column]` as JSON. */
export async function jsonColumnsOf(
  session: SqlSession,
  { where, values }: TableCondition,
): Promise<Set<string>> {
  const [[version = ''] = []] = await session.all('select version()');
  if (!/mariadb/i.test(version ?? '')) return new Set();
  const rows = await session.all(
    `select table_schema, table_name, constraint_name from (
       select constraint_schema as table_schema, table_name, constraint_name, check_clause
       from information_schema.check_constraints) checks
     where ${where} and check_clause like 'json_valid(%'`,
    values,
  );
  return new Set(rows.map((row) => JSON.stringify(row)));
}

/** Returns the key of the table in the first two columns of a row. */
export function tableOf([schema, table]: SqlRow): string {
  return nameOf(schema ?? '', table ?? '');
}
