import type { CatalogColumn } from '@trove/connector-kit/sql';

import type { TableField, TableInfo } from './answers.js';

/** SQL whose result may change without its tables. */
export const dependsOnTime = /\b(?:current_|rand\(|generate_uuid|session_user)/i;

/** Whether the rows are those of a query. */
export function isView(type: string | undefined): boolean {
  return type === 'VIEW' || type === 'MATERIALIZED_VIEW';
}

export function isTable(info: TableInfo | string | null): info is TableInfo {
  return typeof info === 'object' && info !== null;
}

export function isPartitioned(info: TableInfo): boolean {
  return (
    (info.timePartitioning ?? info.rangePartitioning) !== undefined &&
    !isView(info.type) &&
    info.type !== 'EXTERNAL'
  );
}

/** Rows in the streaming buffer do not change the time of the table. */
export function fingerprintOf(info: TableInfo): string {
  const { creationTime, lastModifiedTime, numRows, streamingBuffer: buffer } = info;
  const facts = [creationTime, lastModifiedTime, numRows, buffer?.estimatedRows];
  return facts.map((fact) => fact ?? '').join(' ');
}

export function columnOf(field: TableField): CatalogColumn {
  const type = typeOf(field);
  return {
    name: field.name,
    type: field.mode === 'REPEATED' ? `ARRAY<${type}>` : type,
    nullable: field.mode !== 'REQUIRED',
    default: field.defaultValueExpression ?? null,
    comment: field.description ?? null,
  };
}

function typeOf({ type, fields }: TableField): string {
  if (fields === undefined) return type;
  const members = fields.map(
    (field) =>
      `${field.name} ${field.mode === 'REPEATED' ? `ARRAY<${typeOf(field)}>` : typeOf(field)}`,
  );
  return `STRUCT<${members.join(', ')}>`;
}

export function referencesOf({ tableConstraints }: TableInfo): readonly object[] {
  return (tableConstraints?.foreignKeys ?? []).flatMap(({ referencedTable, columnReferences }) =>
    (columnReferences ?? []).map(({ referencingColumn, referencedColumn }) => ({
      column: referencingColumn,
      table: `${referencedTable?.datasetId}.${referencedTable?.tableId}`,
      to: referencedColumn,
    })),
  );
}
