import type { Session } from '@trove/connector-kit/sql';

import { formOf, type Form } from './values.js';

export interface Column {
  readonly name: string;
  /** As declared: `decimal(10,2)`. */
  readonly declared: string;
  /** The same without length: `decimal`. */
  readonly type: string;
  readonly form: Form;
  readonly isUnsigned: boolean;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

/** Columns by what names their table. */
export type ByTable<T> = Map<string, T[]>;

/** What names a table in these maps. */
export function nameOf(schema: string, table: string): string {
  return JSON.stringify([schema, table]);
}

/** Conditions that choose tables, over columns called `table_schema` and `table_name`. */
export interface Chosen {
  readonly where: string;
  readonly values: readonly string[];
}

export async function columnsOf(
  session: Session,
  { where, values }: Chosen,
  json: ReadonlySet<string>,
): Promise<ByTable<Column>> {
  const rows = await session.all(
    `select table_schema, table_name, column_name, column_type, data_type, is_nullable, column_default,
       column_comment
     from information_schema.columns where ${where} order by table_schema, table_name, ordinal_position`,
    values,
  );
  return grouped(rows, ([schema, table, name, declared, dataType, isNullable, given, comment]) => {
    const type = (dataType ?? '').toLowerCase();
    const isJson = json.has(JSON.stringify([schema, table, name]));
    return {
      name: name ?? '',
      declared: declared ?? '',
      type,
      form: isJson ? 'json' : formOf(type),
      isUnsigned: /unsigned/i.test(declared ?? ''),
      nullable: isNullable === 'YES',
      default: given === 'NULL' ? null : (given ?? null),
      comment: comment === '' ? null : (comment ?? null),
    };
  });
}

/** Columns of MariaDB that are texts with a condition: its JSON. As JSON: schema, table and column. */
export async function jsonColumnsOf(
  session: Session,
  { where, values }: Chosen,
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

type Fields = readonly (string | null)[];

/** Rows whose first two columns name a table. */
export function grouped<T>(rows: readonly Fields[], read: (row: Fields) => T): ByTable<T> {
  const groups: ByTable<T> = new Map();
  for (const row of rows) {
    const name = nameOf(row[0] ?? '', row[1] ?? '');
    const group = groups.get(name) ?? [];
    group.push(read(row));
    groups.set(name, group);
  }
  return groups;
}
