import type { AirtableField, AirtableTable } from './bases.js';
import { isJson, textAt } from './json.js';

/** A field of a table: what the mapping of its cells needs. */
export interface MappedField {
  readonly name: string;
  readonly type: string;
  /** The table whose records its cells name, and the field with their names. */
  readonly links?: { readonly table: string; readonly field: string };
}

/** Returns the fields of all tables of a base by the ids of the tables, the primary field first. */
export function fieldsByTable({
  tables,
}: {
  readonly tables: readonly AirtableTable[];
}): Readonly<Record<string, readonly MappedField[]>> {
  const primary = new Map(tables.map(({ id, primaryFieldId }) => [id, primaryFieldId]));
  const toField = ({ name, type, options }: AirtableField): MappedField => {
    // The cells of a lookup have the values of a field of another table.
    const table = options?.linkedTableId ?? options?.result?.options?.linkedTableId;
    const shown = options?.result?.type ?? type;
    const field = table === undefined ? undefined : primary.get(table);
    const isLink = shown === 'multipleRecordLinks' && table !== undefined && field !== undefined;
    return { name, type, ...(isLink ? { links: { table, field } } : {}) };
  };
  return Object.fromEntries(
    tables.map(({ id, primaryFieldId, fields }) => {
      const first = fields.filter((field) => field.id === primaryFieldId);
      const others = fields.filter((field) => field.id !== primaryFieldId);
      return [id, [...first, ...others].map(toField)];
    }),
  );
}

/** Reads the fields of a table from the value of the look-up. */
export function readFields(found: unknown, table: string): readonly MappedField[] {
  const fields: unknown = isJson(found) ? found[table] : undefined;
  return Array.isArray(fields) ? fields.filter(isField) : [];
}

function isField(value: unknown): value is MappedField {
  if (!isJson(value) || typeof value['name'] !== 'string') return false;
  const { links } = value;
  return typeof value['type'] === 'string' && (links === undefined || isTarget(links));
}

function isTarget(value: unknown): boolean {
  return textAt(value, 'table') !== '' && textAt(value, 'field') !== '';
}
