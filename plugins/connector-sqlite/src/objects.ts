import { createHash } from 'node:crypto';

import type { Entry } from '@trove/core';

import { relationAt, relationsOf, type Relation } from './catalog.js';
import type { Config } from './config.js';
import { keyOf, planOf, type Key } from './plan.js';
import type { Reader } from './reader.js';
import { Rows } from './rows.js';
import { schemaFileOf } from './schema-file.js';

const rowsFile = 'rows.jsonl';
const schemaFile = 'schema.json';
/** The only schema that a file has. */
const schema = 'main';

/** What is listed for a table or view, and the text of its schema. */
interface Listed {
  readonly entries: readonly Entry[];
  readonly schemaText: string | null;
}

/** What a database is as a tree: `main/<table>/rows.jsonl` and `main/<table>/schema.json`. */
export class Objects {
  readonly #config: Config;
  /** What was found about keys, which takes a look at all of them. Good as long as the file does not change. */
  readonly #keys = new Map<string, { readonly stamp: string; readonly key: Key | null }>();

  constructor(config: Config) {
    this.#config = config;
  }

  async *list(reader: Reader): AsyncGenerator<Entry> {
    for (const relation of await relationsOf(reader, this.#config)) {
      const { entries } = await this.#listedOf(reader, relation);
      for (const entry of entries) {
        reader.assertGoingOn();
        yield entry;
      }
    }
  }

  /** The same at once. */
  async entries(reader: Reader): Promise<Entry[]> {
    const entries: Entry[] = [];
    for await (const entry of this.list(reader)) entries.push(entry);
    return entries;
  }

  async stat(reader: Reader, path: string): Promise<Entry | null> {
    const relation = await this.#relationAt(reader, path, [rowsFile, schemaFile]);
    if (relation === null) return null;
    const { entries } = await this.#listedOf(reader, relation);
    return entries.find((entry) => entry.path === path) ?? null;
  }

  relationOfRows(reader: Reader, path: string): Promise<Relation | null> {
    return this.#relationAt(reader, path, [rowsFile]);
  }

  async schemaText(reader: Reader, path: string): Promise<string | null> {
    const relation = await this.#relationAt(reader, path, [schemaFile]);
    return relation === null ? null : (await this.#listedOf(reader, relation)).schemaText;
  }

  /** `most`: rows that will be asked for, if it is known. */
  async rows(reader: Reader, relation: Relation, most = Infinity): Promise<Rows> {
    const key = await this.#keyOf(reader, relation);
    return new Rows(reader, relation, await planOf(reader, relation, key, most));
  }

  async #listedOf(reader: Reader, relation: Relation): Promise<Listed> {
    const folder = `${schema}/${relation.segment}`;
    const rows = { path: `${folder}/${rowsFile}`, kind: 'table_rows', ...unknown } as const;
    const { skip } = relation;
    if (skip !== null) return { entries: [{ ...rows, skip }], schemaText: null };
    const key = await this.#keyOf(reader, relation);
    const schemaText = await schemaFileOf(reader, relation, key?.names ?? null);
    const keyFields = key === null ? {} : { keyFields: key.names };
    const entries: Entry[] = [
      { ...rows, fingerprint: `${reader.stamp} ${digest(schemaText)}`, ...keyFields },
      {
        ...unknown,
        path: `${folder}/${schemaFile}`,
        kind: 'table_schema',
        mediaType: 'application/json',
        size: Buffer.byteLength(schemaText),
        fingerprint: digest(schemaText),
      },
    ];
    return { entries, schemaText };
  }

  async #relationAt(
    reader: Reader,
    path: string,
    files: readonly string[],
  ): Promise<Relation | null> {
    const [first, segment, file, ...rest] = path.split('/');
    if (first !== schema || segment === undefined || file === undefined) return null;
    if (rest.length > 0 || !files.includes(file)) return null;
    const relation = await relationAt(reader, this.#config, segment);
    return relation;
  }

  async #keyOf(reader: Reader, relation: Relation): Promise<Key | null> {
    const { segment } = relation;
    const { stamp } = reader;
    const known = this.#keys.get(segment);
    if (known?.stamp === stamp) return known.key;
    const key = await keyOf(reader, relation);
    this.#keys.set(segment, { stamp, key });
    return key;
  }
}

/** The file as a whole has a time, and it says nothing about one table. */
const unknown = { size: null, modifiedAt: null, fingerprint: null };

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
