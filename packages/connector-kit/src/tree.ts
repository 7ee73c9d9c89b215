import { createHash } from 'node:crypto';

import type { Entry } from '@trove/core';

import { nameOf, segmentOf } from './names.js';
import type {
  DatabaseSource,
  TableDescription,
  DatabaseReader,
  Table,
  TablePart,
} from './source.js';

const schemaFile = 'schema.json';

const parts: readonly TablePart[] = ['records', 'schema'];

/** Returns the objects of a table in the order of the listing. */
export function partsOf({ skip, holds }: Table): readonly TablePart[] {
  if (holds !== undefined) return [holds];
  return skip === null ? parts : ['records'];
}

/** Maps tables to objects and paths. Each table has its records and a `schema.json`. */
export class DatabaseTree<T extends Table> {
  /** The valid numbers of names. */
  readonly #levels: readonly number[];
  readonly #recordsFile: DatabaseSource<T>['recordsFile'];

  constructor({ levels, recordsFile, hasPartitions = false }: DatabaseSource<T>) {
    this.#levels = hasPartitions ? [levels, levels + 1] : [levels];
    this.#recordsFile = recordsFile;
  }

  pathOf({ names }: T, part: TablePart): string {
    const file = part === 'records' ? this.#recordsFile.name : schemaFile;
    return [...names.map(segmentOf), file].join('/');
  }

  /** Returns the path of the schema beside these records. */
  schemaPathOf(path: string): string {
    return `${path.slice(0, path.lastIndexOf('/') + 1)}${schemaFile}`;
  }

  /** Returns the table of an object, or null if the object does not exist. */
  async tableAt(
    reader: DatabaseReader<T>,
    path: string,
    wanted: readonly TablePart[],
  ): Promise<T | null> {
    const segments = path.split('/');
    const file = segments.pop();
    const part = file === this.#recordsFile.name ? 'records' : 'schema';
    if (part === 'schema' && file !== schemaFile) return null;
    if (!this.#levels.includes(segments.length) || !wanted.includes(part)) return null;
    const names = segments.map(nameOf).filter((name) => name !== null);
    if (names.length < segments.length) return null;
    const table = await reader.table(names);
    return table === null || (table.holds ?? part) !== part ? null : table;
  }

  async entriesOf(reader: DatabaseReader<T>, table: T): Promise<Entry[]> {
    const path = this.pathOf(table, table.holds ?? 'records');
    const records = { ...unknownAttributes, path, kind: this.#recordsFile.kind };
    if (table.skip !== null) return [{ ...records, skip: table.skip }];
    const description = await reader.describe(table);
    return partsOf(table).map((part) =>
      part === 'records'
        ? { ...records, ...recordAttributesOf(description) }
        : { ...schemaAttributesOf(description), path: this.pathOf(table, 'schema') },
    );
  }

  async schemaText(reader: DatabaseReader<T>, table: T): Promise<string | null> {
    return table.skip === null ? textOf(await reader.describe(table)) : null;
  }
}

/** No database reports the time of a table's last change, or the size of its records as text. */
const unknownAttributes = { size: null, modifiedAt: null, fingerprint: null };

function recordAttributesOf(
  description: TableDescription,
): Pick<Entry, 'fingerprint' | 'keyFields'> {
  const { keyFields, fingerprint } = description;
  return {
    fingerprint: fingerprint === null ? null : `${fingerprint} ${digestOf(textOf(description))}`,
    ...(keyFields === null ? {} : { keyFields }),
  };
}

function schemaAttributesOf(description: TableDescription): Omit<Entry, 'path'> {
  const text = textOf(description);
  return {
    ...unknownAttributes,
    kind: 'table_schema',
    mediaType: 'application/json',
    size: Buffer.byteLength(text),
    fingerprint: digestOf(text),
  };
}

function textOf({ schema }: TableDescription): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
