import { createHash } from 'node:crypto';

import type { Entry } from '@trove/core';

import { nameOf, segmentOf } from './names.js';
import type { DatabaseSource, RelationDescription, DatabaseReader, Relation } from './source.js';

const schemaFile = 'schema.json';

/** The two objects of a relation. */
export type RelationPart = 'records' | 'schema';

/** Maps relations to objects and paths. Each relation has its records and a `schema.json`. */
export class DatabaseTree<R extends Relation> {
  readonly #levels: number;
  readonly #recordsFile: DatabaseSource<R>['recordsFile'];

  constructor({ levels, recordsFile }: DatabaseSource<R>) {
    this.#levels = levels;
    this.#recordsFile = recordsFile;
  }

  pathOf({ names }: R, part: RelationPart): string {
    const file = part === 'records' ? this.#recordsFile.name : schemaFile;
    return [...names.map(segmentOf), file].join('/');
  }

  /** Returns the path of the schema beside these records. */
  schemaPathOf(path: string): string {
    return `${path.slice(0, path.lastIndexOf('/') + 1)}${schemaFile}`;
  }

  /** Returns the relation of an object, or null if the object does not exist. */
  async relationAt(
    reader: DatabaseReader<R>,
    path: string,
    parts: readonly RelationPart[],
  ): Promise<R | null> {
    const segments = path.split('/');
    const file = segments.pop();
    const part = file === this.#recordsFile.name ? 'records' : 'schema';
    if (part === 'schema' && file !== schemaFile) return null;
    if (segments.length !== this.#levels || !parts.includes(part)) return null;
    const names = segments.map(nameOf).filter((name) => name !== null);
    return names.length < segments.length ? null : reader.relation(names);
  }

  async entriesOf(reader: DatabaseReader<R>, relation: R): Promise<Entry[]> {
    const records = {
      ...unknownAttributes,
      path: this.pathOf(relation, 'records'),
      kind: this.#recordsFile.kind,
    };
    if (relation.skip !== null) return [{ ...records, skip: relation.skip }];
    const description = await reader.describe(relation);
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
        path: this.pathOf(relation, 'schema'),
        kind: 'table_schema',
        mediaType: 'application/json',
        size: Buffer.byteLength(text),
        fingerprint: digestOf(text),
      },
    ];
  }

  async schemaText(reader: DatabaseReader<R>, relation: R): Promise<string | null> {
    return relation.skip === null ? textOf(await reader.describe(relation)) : null;
  }
}

/** No database reports the time of a table's last change, or the size of its records as text. */
const unknownAttributes = { size: null, modifiedAt: null, fingerprint: null };

function textOf({ schema }: RelationDescription): string {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
