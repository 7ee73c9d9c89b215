import {
  describeTable,
  groupByTable,
  type SqlSession,
  type SqlTable,
} from '@trove/connector-kit/sql';

import { parseNames, type PostgresTable } from './catalog.js';
import { oidOf, type PostgresColumn } from './columns.js';
import { postgres } from './dialect.js';

/** Adds descriptions to tables, with one query per kind of detail, because a database may have thousands of tables. */
export async function describeTables(
  session: SqlSession,
  tables: readonly PostgresTable[],
): Promise<SqlTable<PostgresColumn>[]> {
  const oids = JSON.stringify(tables.map(({ oid }) => oid));
  const references = await referencesOf(session, oids);
  const indexes = await indexesOf(session, oids);
  const views = await viewsOf(session, oids);
  const state = await stateOf(session);
  return tables.map((table) => {
    const { oid, isStored } = table;
    const [schema = '', name = ''] = table.names;
    const description = describeTable(postgres, {
      ...table,
      schema,
      name,
      references: references.get(oid) ?? [],
      indexes: indexes.get(oid) ?? [],
      sql: views.get(oid) ?? null,
      fingerprint: isStored ? state : null,
    });
    return { ...table, description };
  });
}

/** Returns the visible transactions. While they stay the same, no table has changed. */
async function stateOf(session: SqlSession): Promise<string | null> {
  const [[state = null] = []] = await session.all(
    "select txid_current_snapshot()::text || ' ' || extract(epoch from pg_postmaster_start_time())",
  );
  return state;
}

async function referencesOf(session: SqlSession, oids: string): Promise<Map<string, object[]>> {
  const rows = await session.all(
    `select c.conrelid,
       (select json_agg(a.attname order by k.at) from unnest(c.conkey) with ordinality k(number, at)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.number),
       n.nspname || '.' || other.relname,
       (select json_agg(a.attname order by k.at) from unnest(c.confkey) with ordinality k(number, at)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.number)
     from pg_constraint c
     join pg_class other on other.oid = c.confrelid join pg_namespace n on n.oid = other.relnamespace
     where c.contype = 'f' and c.conparentid = 0
       and c.conrelid::text in (select json_array_elements_text($1::json))
     order by c.conrelid, c.conname`,
    [oids],
  );
  return groupByTable(rows, oidOf, ([, columns, table, to]) => ({
    columns: parseNames(columns ?? null),
    table,
    to: parseNames(to ?? null),
  }));
}

async function indexesOf(session: SqlSession, oids: string): Promise<Map<string, object[]>> {
  const rows = await session.all(
    `select i.indrelid, c.relname, i.indisunique, pg_get_indexdef(i.indexrelid)
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid::text in (select json_array_elements_text($1::json))
     order by i.indrelid, c.relname`,
    [oids],
  );
  return groupByTable(rows, oidOf, ([, name, isUnique, sql]) => ({
    name,
    unique: isUnique === 't',
    sql,
  }));
}

async function viewsOf(session: SqlSession, oids: string): Promise<Map<string, string>> {
  const rows = await session.all(
    `select c.oid, pg_get_viewdef(c.oid) from pg_class c
     where c.relkind in ('v', 'm') and c.oid::text in (select json_array_elements_text($1::json))`,
    [oids],
  );
  return new Map(rows.map(([oid, sql]) => [oid ?? '', sql ?? '']));
}
