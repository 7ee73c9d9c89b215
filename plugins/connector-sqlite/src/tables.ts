import type { RecordKey, SourceRecord } from '@trove/core';
import type { Description, Reader as DatabaseReader, SomeRecords } from '@trove/connector-kit';

import { relationNamed, relationsOf, type Relation } from './catalog.js';
import type { Config } from './config.js';
import { keyOf, planOf, type Key } from './plan.js';
import type { Reader } from './reader.js';
import { Rows } from './rows.js';
import { schemaOf } from './schema-file.js';

/** What was found about keys, which takes a look at all of them. Good as long as the file does not change. */
export type KnownKeys = Map<string, { readonly stamp: string; readonly key: Key | null }>;

/** The tables of a file, through a connection of their own. */
export class Tables implements DatabaseReader<Relation> {
  readonly #reader: Reader;
  readonly #config: Config;
  readonly #keys: KnownKeys;

  constructor(reader: Reader, config: Config, keys: KnownKeys) {
    this.#reader = reader;
    this.#config = config;
    this.#keys = keys;
  }

  relations(): Promise<Relation[]> {
    return relationsOf(this.#reader, this.#config);
  }

  relation(names: readonly string[]): Promise<Relation | null> {
    return relationNamed(this.#reader, this.#config, names);
  }

  async describe(relation: Relation): Promise<Description> {
    const key = await this.#keyOf(relation);
    const keyFields = key?.names ?? null;
    const schema = await schemaOf(this.#reader, relation, keyFields);
    return { keyFields, schema, fingerprint: this.#reader.stamp };
  }

  async *records(relation: Relation, { offset, limit }: SomeRecords): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation, offset + limit)).records(offset, limit);
  }

  async *find(relation: Relation, key: RecordKey): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation)).find(key);
  }

  async *matches(relation: Relation, text: string): AsyncGenerator<SourceRecord> {
    yield* (await this.#rows(relation)).matches(text);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  /** `most`: rows that will be asked for, if it is known. */
  async #rows(relation: Relation, most = Infinity): Promise<Rows> {
    const key = await this.#keyOf(relation);
    return new Rows(this.#reader, relation, await planOf(this.#reader, relation, key, most));
  }

  async #keyOf(relation: Relation): Promise<Key | null> {
    const { name } = relation;
    const { stamp } = this.#reader;
    const known = this.#keys.get(name);
    if (known?.stamp === stamp) return known.key;
    const key = await keyOf(this.#reader, relation);
    this.#keys.set(name, { stamp, key });
    return key;
  }
}
