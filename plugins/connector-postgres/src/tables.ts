import type { RecordKey, SourceRecord } from '@trove/core';
import type { Description, Reader } from '@trove/connector-kit';

import { relationsOf, type Relation } from './catalog.js';
import type { Config } from './config.js';
import type { Connection } from './connection.js';
import { KeyedRows } from './keyed-rows.js';
import { schemasOf } from './schema-file.js';
import { WholeRows } from './whole-rows.js';

interface Rows {
  records(offset: number, limit: number): AsyncGenerator<SourceRecord>;
  find(key: RecordKey): AsyncGenerator<SourceRecord>;
  matches(text: string): AsyncGenerator<SourceRecord>;
}

/** A relation, and all that is known of it. */
interface Described extends Relation {
  readonly description: Description;
}

/** The tables of a database, as one operation sees them. */
export class Tables implements Reader<Described> {
  readonly #connection: Connection;
  readonly #config: Config;
  readonly #signal: AbortSignal;

  constructor(connection: Connection, config: Config, signal: AbortSignal) {
    this.#connection = connection;
    this.#config = config;
    this.#signal = signal;
  }

  relations(): Promise<Described[]> {
    return this.#relations(null);
  }

  async relation(names: readonly string[]): Promise<Described | null> {
    return (await this.#relations(names))[0] ?? null;
  }

  describe({ description }: Described): Promise<Description> {
    return Promise.resolve(description);
  }

  async *records(relation: Relation, offset: number, limit: number): AsyncGenerator<SourceRecord> {
    yield* this.#rows(relation).records(offset, limit);
  }

  async *find(relation: Relation, key: RecordKey): AsyncGenerator<SourceRecord> {
    yield* this.#rows(relation).find(key);
  }

  async *matches(relation: Relation, text: string): AsyncGenerator<SourceRecord> {
    yield* this.#rows(relation).matches(text);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #rows(relation: Relation): Rows {
    return relation.key === null
      ? new WholeRows(this.#connection, this.#signal, relation)
      : new KeyedRows(this.#connection, this.#signal, relation, relation.key);
  }

  /** All that is asked of the catalog is asked at once: a database may have thousands of tables. */
  #relations(names: readonly string[] | null): Promise<Described[]> {
    return this.#connection.transaction(this.#signal, async (query) => {
      const relations = await relationsOf(query, this.#config, names);
      const schemas = await schemasOf(query, relations);
      // Which transactions a reader sees: as long as that is the same, so are all tables.
      const [[state = null] = []] = await query(
        "select txid_current_snapshot()::text || ' ' || extract(epoch from pg_postmaster_start_time())",
      );
      return relations.map((relation) => ({
        ...relation,
        description: {
          keyFields: relation.key?.map(({ name }) => name) ?? null,
          schema: schemas.get(relation.oid) ?? {},
          fingerprint: relation.isStored ? state : null,
        },
      }));
    });
  }
}
