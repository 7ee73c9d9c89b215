import { connectorContext } from '@trove/testkit';
import type { Connector, ConnectorContext, RecordsOptions, SourceRecord } from '@trove/core';
import { Client } from 'pg';

import { recordsAt } from '@trove/test-support/records-at.js';
import type { TestPostgres } from '@trove/test-support/postgres.js';
import type { Config } from '../src/config.js';
import plugin from '../src/index.js';

export { found } from '@trove/test-support/found.js';

export { plugin };
export const calm = new AbortController().signal;

/** A database that a test writes and a connector reads. */
export class World {
  readonly #connectors: Connector[] = [];
  readonly #url: URL;

  private constructor(url: URL) {
    this.#url = url;
  }

  static async make(server: TestPostgres): Promise<World> {
    return new World(new URL(await server.createDatabase()));
  }

  get password(): string {
    return this.#url.password;
  }

  get config(): Config {
    const { password } = this;
    return { password, schemas: [], tables: [], views: true, timeout_s: 60 };
  }

  target({ user = this.#url.username, host = this.#url.host, database = '' } = {}): string {
    return `postgres://${user}@${host}${database === '' ? this.#url.pathname : `/${database}`}`;
  }

  get login(): { readonly user: string; readonly database: string } {
    return { user: this.#url.username, database: this.#url.pathname.slice(1) };
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: this.#url.hostname, port: Number(this.#url.port) };
  }

  async write(sql: string): Promise<Record<string, unknown>[]> {
    const client = await this.writer();
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql);
      return rows;
    } finally {
      await client.end();
    }
  }

  /** A connection that stays open, as that of a program at work. */
  async writer(): Promise<Client> {
    const client = new Client({ connectionString: this.#url.href });
    await client.connect();
    return client;
  }

  connector(
    config: Partial<Config> = {},
    target = this.target(),
    context: Partial<ConnectorContext<Config>> = {},
  ): Connector {
    return this.#opened(
      connectorContext({ config: { ...this.config, ...config }, target, ...context }),
    );
  }

  #opened(context: ConnectorContext<Config>): Connector {
    const created = plugin.create(context);
    if (created instanceof Promise) throw new Error('the connector is not there at once');
    this.#connectors.push(created);
    return created;
  }

  /** A connector for a target with a name instead of an address. The configuration contains the rest. */
  named(config: Partial<Config>): Connector {
    const { password: _, ...others } = this.config;
    const full = { ...others, ...config };
    return this.#opened(connectorContext({ config: full, target: 'postgres://prod-db' }));
  }

  /** Closes the connectors made so far, and empties the database: that is cheaper than another one. */
  async clear(): Promise<void> {
    await this.#closeAll();
    await this.write(`do $$ declare each text; begin
      for each in select nspname from pg_namespace
        where left(nspname, 3) <> 'pg_' and nspname <> 'information_schema'
      loop execute format('drop schema %I cascade', each); end loop;
      create schema public; end $$`);
  }

  async remove(): Promise<void> {
    await this.#closeAll();
    const name = this.#url.pathname.slice(1);
    this.#url.pathname = '/postgres';
    await this.write(`drop database "${name}" with (force)`);
  }

  async #closeAll(): Promise<void> {
    for (const connector of this.#connectors.splice(0)) await connector.close?.();
  }
}

export function recordsOf(
  connector: Connector,
  table: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  return recordsAt(connector, `public/${table}/rows.jsonl`, options);
}
