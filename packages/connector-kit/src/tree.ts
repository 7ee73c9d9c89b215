import { createHash } from 'node:crypto';

import type { Entry } from '@trove/core';

import { nameOf, segmentOf } from './names.js';
import type { DatabaseSource, TableDescription, DatabaseReader, Table } from './source.js';

const schemaFile = 'schema.json';

/** The two objects of a table. */
export type TablePart = 'records' | 'schema';

/** Maps tables to objects and paths. Each table has its records and a `schema.json`. */
export class DatabaseTree<T extends Table> {
  readonly #levels: number;
  readonly #recordsFile: DatabaseSource<T>['recordsFile'];

  constructor({ levels, recordsFile }: DatabaseSource<T>) {
    this.#levels = levels;
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
    parts: readonly TablePart[],
  ): Promise<T | null> {
    const segments = path.split('/');
    const file = segments.pop();
    const part = file === this.#recordsFile.name ? 'records' : 'schema';
    if (part === 'schema' && file !== schemaFile) return null;
    if (segments.length !== this.#levels || !parts.includes(part)) return null;
    const names = segments.map(nameOf).filter((name) => name !== null);
    return names.length < segments.length ? null : reader.table(names);
  }

  async entriesOf(reader: DatabaseReader<T>, table: T): Promise<Entry[]> {
    const records = {
      ...unknownAttributes,
      path: this.pathOf(table, 'records'),
      kind: this.#recordsFile.kind,
    };
    if (table.skip !== null) return [{ ...records, skip: table.skip }];
    const description = await reader.describe(table);
    const { keyFields, fingerprint } = description;
    const text = textOf(description);
    return [
      {
        ...records,
        fingerprint: fingerprint === null ? null : `${fingerprint} ${digestOf(text)}`,
        ...(keyFields === null ? {} : { keyFields }),
      },
      {
        ...unknownAttributes,
        path: this.pathOf(table, 'schema'),
        kind: 'table_schema',
        mediaType: 'application/json',
        size: Buffer.byteLength(text),
        fingerprint: digestOf(text),
      },
    ];
  }

  async schemaText(reader: DatabaseReader<T>, table: T): Promise<string | null> {
    return table.skip === null ? textOf(await reader.describe(table)) : null;
  }
}

/** No database reports the time of a table's last change, or the size of its records as text. */
const unknownAttributes = { size: null, modifiedAt: null, fingerprint: null };

function textOf({ schema }: TableDescription): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
