import {
  groupByTable,
  isIncluded,
  findKey,
  type SqlSession,
  type SqlTable,
  type TableFilter,
} from '@trove/connector-kit/sql';

import { changeTrackingOf } from './change-tracking.js';
import { columnsOf, oidOf, type PostgresColumn } from './columns.js';
import { quoteIdentifier } from './names.js';

const kinds = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  f: 'foreign table',
} as const;
type KindCode = keyof typeof kinds;

/** A table, view, materialized view or foreign table. */
export interface PostgresTable extends Omit<SqlTable<PostgresColumn>, 'description'> {
  /** Its OID in the catalog. */
  readonly oid: string;
  readonly kind: (typeof kinds)[KindCode];
  readonly comment: string | null;
  /** Whether its rows change only by writes to this database. */
  readonly isStored: boolean;
}

/** Returns all included tables ordered by name, or only the one with these names. */
export async function tablesOf(
  session: SqlSession,
  filter: TableFilter,
  names: readonly string[] | null = null,
): Promise<PostgresTable[]> {
  const includedRows = (await listTableRows(session, names)).filter((row) =>
    isIncluded(filter, row, row.kind === 'v' || row.kind === 'm'),
  );
  const oids = JSON.stringify(includedRows.map(({ oid }) => oid));
  const columns = await columnsOf(session, oids);
  const keys = await keysOf(session, oids);
  return includedRows.map((row) =>
    tableOf(row, columns.get(row.oid) ?? [], keys.get(row.oid) ?? []),
  );
}

interface TableRow {
  readonly oid: string;
  readonly schema: string;
  readonly name: string;
  readonly kind: KindCode;
  readonly comment: string | null;
  readonly mayEnter: boolean;
  readonly hasForeignParts: boolean;
  /** Whether rows store the transaction that wrote them (`xmin`), and the user may read it. */
  readonly hasReadableXmin: boolean;
}

/** Omits tables of extensions, and partitions, because their table has the same rows. */
async function listTableRows(
  session: SqlSession,
  names: readonly string[] | null,
): Promise<TableRow[]> {
  const [onlySchema = null, onlyName = null] = names ?? [];
  const rows = await session.all(
    `select c.oid, n.nspname, c.relname, c.relkind, obj_description(c.oid, 'pg_class'),
       has_schema_privilege(n.oid, 'usage'),
       c.relkind = 'p' and exists (
         select from pg_inherits i join pg_class part on part.oid = i.inhrelid
         where i.inhparent = c.oid and part.relkind <> 'r'),
       has_table_privilege(c.oid, 'select') and not exists (
         select from pg_class part join pg_am am on am.oid = part.relam
         where am.amname <> 'heap' and (part.oid = c.oid or part.oid in (
           select i.inhrelid from pg_inherits i where i.inhparent = c.oid)))
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
       and left(n.nspname, 3) <> 'pg_' and n.nspname <> 'information_schema'
       and ($1::text is null or (n.nspname = $1 and c.relname = $2::text))
       and not exists (
         select from pg_depend d
         where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by n.nspname, c.relname`,
    [onlySchema, onlyName],
  );
  return rows.map(
    ([oid, schema, name, kind, comment, mayEnter, hasForeignParts, hasReadableXmin]) => ({
      oid: oid ?? '',
      schema: schema ?? '',
      name: name ?? '',
      kind: isKind(kind) ? kind : 'r',
      comment: comment ?? null,
      mayEnter: mayEnter === 't',
      hasForeignParts: hasForeignParts === 't',
      hasReadableXmin: hasReadableXmin === 't',
    }),
  );
}

function tableOf(
  { oid, schema, name, kind, comment, mayEnter, hasForeignParts, hasReadableXmin }: TableRow,
  all: readonly PostgresColumn[],
  indexes: readonly (readonly string[])[],
): PostgresTable {
  const columns = all.filter(({ isReadable }) => isReadable);
  const isStored = kind === 'r' || kind === 'm' || (kind === 'p' && !hasForeignParts);
  // Without `only`, a table also returns the rows of tables that inherit from it.
  const from = `${kind === 'r' ? 'only ' : ''}${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
  return {
    oid,
    names: [schema, name],
    kind: kinds[kind],
    comment,
    columns,
    key: findKey(columns, indexes),
    from,
    isStored,
    changeTracking: isStored && hasReadableXmin ? changeTrackingOf(oid) : null,
    skip: mayEnter && columns.length > 0 ? null : skipReasonOf(schema, name, mayEnter, all.length),
  };
}

function skipReasonOf(schema: string, name: string, mayEnter: boolean, columns: number): string {
  if (mayEnter && columns === 0) return 'it has no columns';
  const what = mayEnter
    ? `GRANT SELECT ON ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`
    : `GRANT USAGE ON SCHEMA ${quoteIdentifier(schema)}`;
  return `this user may not read it. Grant access: ${what} TO that user`;
}

/** Returns unique indexes without nulls: the primary key first, then by number of columns. */
async function keysOf(session: SqlSession, oids: string): Promise<Map<string, string[][]>> {
  const rows = await session.all(
    `select i.indrelid, k.names
     from pg_index i
     join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
     cross join lateral (
       select json_agg(a.attname order by part.at) as names, bool_and(a.attnotnull) as never_null
       from unnest(i.indkey::int2[]) with ordinality part(number, at)
       left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.number
       where part.at <= i.indnkeyatts) k
     where i.indrelid::text in (select json_array_elements_text($1::json))
       and i.indisunique and i.indisvalid and i.indpred is null and i.indexprs is null
       and am.amname = 'btree' and k.never_null
     order by i.indrelid, i.indisprimary desc, i.indnkeyatts, c.relname`,
    [oids],
  );
  return groupByTable(rows, oidOf, ([, names]) => parseNames(names ?? null));
}

/** Parses a JSON list of texts. */
export function parseNames(json: string | null): string[] {
  const list: unknown = JSON.parse(json ?? '[]');
  return Array.isArray(list) ? list.map(String) : [];
}

function isKind(code: string | null | undefined): code is KindCode {
  return typeof code === 'string' && Object.hasOwn(kinds, code);
}
