import type { RecordParts, Scope } from '@trove/connector-kit/http';

import { cellText, cellValue, type CellValue } from './cells.js';
import { readFields, type MappedField } from './fields.js';
import { isJson, textAt, type JsonMembers } from './json.js';

/** A record of a table, as the service shows it. */
export interface AirtableRecord {
  readonly id: string;
  readonly createdTime: string;
  readonly commentCount?: number;
  readonly fields: JsonMembers;
}

interface RecordsAnswer {
  readonly records?: readonly AirtableRecord[];
}

/** A record with its fields in the order of the table. */
interface RecordItem extends AirtableRecord {
  readonly schema: readonly MappedField[];
}

/** As Airtable shows a record whose primary field is empty. */
const unnamed = 'Unnamed record';
/** Longer values do not belong to each comment. */
const maxThreadChars = 200;

/** Returns the records of a page with the names of linked records in place of their ids. Undefined for an answer without the list. */
export async function recordItems(
  { records }: RecordsAnswer,
  scope: Scope,
): Promise<readonly RecordItem[] | undefined> {
  if (records === undefined || records.length === 0) return records?.map(withoutSchema);
  const { base, table } = placeOf(scope);
  const schema = readFields(await scope.lookup('fields', base), table);
  const linked = await Promise.all(
    schema.flatMap(({ name, links }) =>
      links === undefined ? [] : namesIn(name, { base, ...links }, records, scope),
    ),
  );
  return records.map((record) => {
    const fields = { ...record.fields };
    for (const { field, names } of linked) {
      const ids = fields[field];
      if (Array.isArray(ids)) fields[field] = ids.map((id: unknown) => names.get(id) ?? id);
    }
    return { ...record, fields, schema };
  });
}

function withoutSchema(record: AirtableRecord): RecordItem {
  return { ...record, schema: [] };
}

/** Returns the first record of an answer, for a request of one record. */
export async function oneRecord(answer: RecordsAnswer, scope: Scope): Promise<unknown> {
  return (await recordItems(answer, scope))?.[0];
}

/** Returns the names of the records that a field of some records links to. Records without access stay ids. */
async function namesIn(
  field: string,
  given: Readonly<Record<'base' | 'table' | 'field', string>>,
  records: readonly AirtableRecord[],
  { lookup }: Scope,
): Promise<{ readonly field: string; readonly names: ReadonlyMap<unknown, unknown> }> {
  const ids = new Set(
    records.flatMap(({ fields }): readonly unknown[] => {
      const cell = fields[field];
      return Array.isArray(cell) ? cell : [];
    }),
  );
  const names = await Promise.all(
    [...ids].map(async (id) => [id, await lookup('names', id, given)] as const),
  );
  return { field, names: new Map(names) };
}

/** Returns the name of a record that was requested with its primary field only. */
export function nameOfRecord({ fields }: AirtableRecord): string {
  const [cell] = Object.values(fields);
  return cellText(cell) || unnamed;
}

/** Makes the first message of a thread of a record. */
export function toRecord(record: RecordItem, scope: Scope): RecordParts {
  const { id, createdTime, schema } = record;
  const cells = cellsOf(record);
  const [primary] = schema;
  const named = primary === undefined ? undefined : cells[primary.name];
  const typed = (type: string): unknown =>
    record.fields[schema.find((field) => field.type === type)?.name ?? ''];
  return {
    title: cellText(named) || unnamed,
    text: textOf(cells) || unnamed,
    at: typed('lastModifiedTime') ?? createdTime,
    author: cellText(typed('createdBy')) || undefined,
    url: recordUrl(id, scope),
    thread: id,
    fields: cells,
    threadFields: Object.fromEntries(
      Object.entries(cells).filter(([, value]) => cellText(value).length <= maxThreadChars),
    ),
  };
}

/** Returns the address of a record in the app. */
export function recordUrl(id: string, scope: Scope): string {
  const { base, table } = placeOf(scope);
  return `https://airtable.com/${base}/${table}/${id}`;
}

/** Returns the cells with a value, in the order of the table. */
function cellsOf({ fields, schema }: RecordItem): Readonly<Record<string, CellValue>> {
  const names = new Set([...schema.map(({ name }) => name), ...Object.keys(fields)]);
  return Object.fromEntries(
    [...names].flatMap((name): [string, CellValue][] => {
      const value = cellValue(fields[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function textOf(cells: Readonly<Record<string, CellValue>>): string {
  return Object.entries(cells)
    .map(([name, value]) => {
      const text = cellText(value);
      return `${name}:${text.includes('\n') ? '\n' : ' '}${text}`;
    })
    .join('\n');
}

function placeOf({ parents }: Pick<Scope, 'parents'>): {
  readonly base: string;
  readonly table: string;
} {
  const { bases, tables } = parents;
  if (!isJson(bases) || !isJson(tables)) throw new Error('A record without its table.');
  return { base: textAt(bases, 'id'), table: textAt(tables, 'id') };
}
