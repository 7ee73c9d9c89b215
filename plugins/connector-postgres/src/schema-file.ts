import { namesIn, type Relation } from './catalog.js';
import type { Query } from './connection.js';
import { isShown } from './values.js';

/** What there is to know about relations without their rows, by their number, as JSON. */
export async function schemasOf(
  query: Query,
  relations: readonly Relation[],
): Promise<Map<string, object>> {
  const oids = JSON.stringify(relations.map(({ oid }) => oid));
  const references = await referencesOf(query, oids);
  const indexes = await indexesOf(query, oids);
  const views = await viewsOf(query, oids);
  return new Map(
    relations.map((relation) => {
      const { oid, names, kind, comment, columns, key } = relation;
      const [schema, name] = names;
      const keyNames = key?.map((column) => column.name) ?? null;
      return [
        oid,
        {
          schema,
          name,
          kind,
          comment,
          columns: columns.map((column) => ({
            name: column.name,
            type: column.type,
            nullable: column.nullable,
            default: column.default,
            comment: column.comment,
            ...(isShown(column) ? {} : { shown: false }),
          })),
          key: keyNames,
          references: references.get(oid) ?? [],
          indexes: indexes.get(oid) ?? [],
          ...(views.has(oid) ? { sql: views.get(oid) } : {}),
        },
      ];
    }),
  );
}

async function referencesOf(query: Query, oids: string): Promise<Map<string, object[]>> {
  const rows = await query(
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
  return grouped(rows, ([, columns, table, to]) => ({
    columns: namesIn(columns ?? null),
    table,
    to: namesIn(to ?? null),
  }));
}

async function indexesOf(query: Query, oids: string): Promise<Map<string, object[]>> {
  const rows = await query(
    `select i.indrelid, c.relname, i.indisunique, pg_get_indexdef(i.indexrelid)
     from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid::text in (select json_array_elements_text($1::json))
     order by i.indrelid, c.relname`,
    [oids],
  );
  return grouped(rows, ([, name, isUnique, sql]) => ({ name, unique: isUnique === 't', sql }));
}

async function viewsOf(query: Query, oids: string): Promise<Map<string, string>> {
  const rows = await query(
    `select c.oid, pg_get_viewdef(c.oid) from pg_class c
     where c.relkind in ('v', 'm') and c.oid::text in (select json_array_elements_text($1::json))`,
    [oids],
  );
  return new Map(rows.map(([oid, sql]) => [oid ?? '', sql ?? '']));
}

function grouped(
  rows: Awaited<ReturnType<Query>>,
  read: (row: Awaited<ReturnType<Query>>[number]) => object,
): Map<string, object[]> {
  const groups = new Map<string, object[]>();
  for (const row of rows) {
    const oid = row[0] ?? '';
    groups.set(oid, [...(groups.get(oid) ?? []), read(row)]);
  }
  return groups;
}
