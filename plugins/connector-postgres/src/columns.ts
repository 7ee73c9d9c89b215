import {
  groupByTable,
  type CatalogColumn,
  type SqlRow,
  type SqlSession,
} from '@trove/connector-kit/sql';

import { quoteIdentifier } from './names.js';

export interface PostgresColumn extends CatalogColumn {
  /** The type of its values. For a domain, its underlying type. */
  readonly base: BaseType;
  readonly isReadable: boolean;
}

export interface BaseType {
  readonly name: string;
  /** `typcategory`: `A` for arrays, `C` for composite types, `N` for numbers … */
  readonly category: string;
  /** The element type of an array, or null. */
  readonly element: string | null;
  /** The qualified and quoted name. */
  readonly sql: string;
}

/** Returns columns by the OID of their table. `oids` is a JSON list. */
export async function columnsOf(
  session: SqlSession,
  oids: string,
): Promise<Map<string, PostgresColumn[]>> {
  const rows = await session.all(
    `with recursive base(oid, root) as (
       select oid, oid from pg_type where typtype <> 'd'
       union all select t.oid, b.root from pg_type t join base b on t.typbasetype = b.oid
         where t.typtype = 'd')
     select a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), not a.attnotnull,
       pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum),
       has_column_privilege(a.attrelid, a.attnum, 'select'),
       t.typname, n.nspname, t.typcategory, element.typname
     from pg_attribute a
     join base b on b.oid = a.atttypid
     join pg_type t on t.oid = b.root join pg_namespace n on n.oid = t.typnamespace
     left join pg_type element on element.oid = t.typelem and t.typcategory = 'A'
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid::text in (select json_array_elements_text($1::json))
       and a.attnum > 0 and not a.attisdropped
     order by a.attrelid, a.attnum`,
    [oids],
  );
  return groupByTable(rows, oidOf, toColumn);
}

/** Returns the OID in the first column of a row. */
export function oidOf([oid]: SqlRow): string {
  return oid ?? '';
}

function toColumn(row: SqlRow): PostgresColumn {
  const [, name, type, nullable, defaultValue, comment, isReadable, ...base] = row;
  const [typeName, typeSchema, category, element] = base;
  return {
    name: name ?? '',
    type: type ?? '',
    base: {
      name: typeName ?? '',
      category: category ?? '',
      element: element ?? null,
      sql: `${quoteIdentifier(typeSchema ?? '')}.${quoteIdentifier(typeName ?? '')}`,
    },
    nullable: nullable === 't',
    default: defaultValue ?? null,
    comment: comment ?? null,
    isReadable: isReadable === 't',
  };
}
