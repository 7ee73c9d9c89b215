import type { Health } from '@trove/core';

import { checkNames } from '../health.js';
import { mayBeKey } from '../keys.js';
import type { TableDescription } from '../source.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow } from './driver.js';

/** The settings that choose tables and views. Empty lists choose all. */
export interface TableFilter {
  readonly schemas: readonly string[];
  /** As `table` or `schema.table`. */
  readonly tables: readonly string[];
  readonly views: boolean;
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

export function isIncluded(
  { schemas, tables, views }: TableFilter,
  { schema, name }: TableName,
  isView: boolean,
): boolean {
  return (
    (schemas.length === 0 || schemas.includes(schema)) &&
    (tables.length === 0 || tables.includes(name) || tables.includes(`${schema}.${name}`)) &&
    (views || !isView)
  );
}

/** Returns the fault of settings that choose schemas or tables that do not exist; null without one. */
export function checkTableNames(
  { schemas, tables }: TableFilter,
  existing: readonly TableName[],
  names: {
    /** The name of the database in messages. */
    readonly database: string;
    /** The word for a schema. */
    readonly schema: string;
    /** The name of a table in messages. */
    readonly table: (table: TableName) => string;
  },
): Health | null {
  const existingSchemas = [...new Set(existing.map(({ schema }) => schema))];
  const accepted = existing.flatMap(({ schema, name }) => [name, `${schema}.${name}`]);
  const missing = tables.filter((table) => !accepted.includes(table));
  return (
    checkNames(names.database, names.schema, 'schemas', schemas, existingSchemas) ??
    checkNames(names.database, 'table or view', 'tables', missing, existing.map(names.table))
  );
}

/** A column as the catalog of a database describes it. */
export interface CatalogColumn extends SqlColumn {
  /** As declared: `numeric(10,2)`. */
  readonly type: string;
  readonly nullable: boolean;
  readonly default: string | null;
  readonly comment: string | null;
}

export interface TableMetadata<C extends CatalogColumn> extends TableName {
  readonly kind: string;
  readonly comment: string | null;
  readonly columns: readonly C[];
  readonly key: readonly C[] | null;
  readonly references: readonly object[];
  readonly indexes: readonly object[];
  /** The statement of a view. */
  readonly sql: string | null;
  readonly fingerprint: string | null;
}

export function describeTable<C extends CatalogColumn>(
  dialect: Pick<SqlDialect<C>, 'isShown'>,
  { schema, name, kind, comment, columns, key, ...facts }: TableMetadata<C>,
): TableDescription {
  const keyFields = key?.map((column) => column.name) ?? null;
  return {
    keyFields,
    fingerprint: facts.fingerprint,
    schema: {
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
        ...(dialect.isShown(column) ? {} : { shown: false }),
      })),
      key: keyFields,
      references: facts.references,
      indexes: facts.indexes,
      ...(facts.sql === null ? {} : { sql: facts.sql }),
    },
  };
}

/** Returns the columns of the first index that can be a key of records. `indexes` lists the names of their columns. */
export function findKey<C extends SqlColumn>(
  columns: readonly C[],
  indexes: readonly (readonly (string | null)[])[],
): readonly C[] | null {
  for (const index of indexes) {
    const key = index.flatMap((name) => columns.find((column) => column.name === name) ?? []);
    if (key.length === index.length && mayBeKey(key.map(({ name }) => name))) return key;
  }
  return null;
}

/** Groups rows of a catalog by their table. */
export function groupByTable<T>(
  rows: readonly SqlRow[],
  tableOf: (row: SqlRow) => string,
  read: (row: SqlRow) => T,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const table = tableOf(row);
    const group = groups.get(table) ?? [];
    group.push(read(row));
    groups.set(table, group);
  }
  return groups;
}
