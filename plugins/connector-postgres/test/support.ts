import { Client } from 'pg';

import type { TestPostgres } from '@trove/test-support/postgres.js';
import { SqlWorld, type SqlWords, type Writer } from '@trove/test-support/sql/world.js';
import plugin from '../src/index.js';
import { quoteIdentifier } from '../src/names.js';

/** A database. Tests write to it, and connectors read it. */
export class World extends SqlWorld {
  readonly words: SqlWords = {
    timeType: 'timestamptz',
    bytesType: 'bytea',
    textType: 'text',
    quoted: quoteIdentifier,
    text: (value) => `'${value}'`,
    bytes: (hex) => `'\\x${hex}'`,
    series: (from, to) => `generate_series(${from}, ${to}) seq`,
  };

  static async make(server: TestPostgres): Promise<World> {
    const url = await server.createDatabase();
    const database = new URL(url).pathname.slice(1);
    return new World({ plugin, url, scheme: 'postgres', database, folder: 'public/' });
  }

  writer(): Promise<Writer> {
    return this.#connected(this.database);
  }

  /** Empties the database, which is cheaper than creating another one. */
  async clear(): Promise<void> {
    await this.closeConnectors();
    await this.write(`do $$ declare each text; begin
      for each in select nspname from pg_namespace
        where left(nspname, 3) <> 'pg_' and nspname <> 'information_schema'
      loop execute format('drop schema %I cascade', each); end loop;
      create schema public; end $$`);
  }

  async remove(): Promise<void> {
    await this.closeConnectors();
    const server = await this.#connected('postgres');
    await server.query(`drop database ${quoteIdentifier(this.database)} with (force)`);
    await server.end();
  }

  async #connected(database: string): Promise<Writer> {
    const client = new Client({
      ...this.address,
      ...this.login,
      database,
      options: '-c timezone=UTC',
    });
    await client.connect();
    return {
      query: async (sql) => (await client.query<Record<string, unknown>>(sql)).rows,
      end: () => client.end(),
    };
  }
}
