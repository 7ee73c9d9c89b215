import { connectorContext } from '@trove/testkit';
import type { Connector, ConnectorContext, RecordsOptions, SourceRecord } from '@trove/core';
import { createConnection, type Connection } from 'mysql2/promise';

import { recordsAt } from '@trove/test-support/records-at.js';
import type { Config } from '../src/config.js';
import plugin from '../src/index.js';

export { found } from '@trove/test-support/found.js';

export { plugin };
export const calm = new AbortController().signal;

/** The databases `shop` and `empty` of a server, which a test writes and a connector reads. */
export class World {
  readonly #connectors: Connector[] = [];
  readonly #url: URL;

  constructor(server: { readonly url: string }) {
    this.#url = new URL(server.url);
  }

  get config(): Config {
    const { password } = this.#url;
    return { password, schemas: [], tables: [], views: true, timeout_s: 60 };
  }

  target({ user = 'root', host = this.#url.host, database = '/shop' } = {}): string {
    return `mysql://${user}@${host}${database}`;
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: this.#url.hostname, port: Number(this.#url.port) };
  }

  async write(sql: string): Promise<unknown[]> {
    const client = await this.writer();
    try {
      const [rows] = await client.query(sql);
      return Array.isArray(rows) ? rows : [];
    } finally {
      await client.end();
    }
  }

  /** A connection that stays open, as that of a program at work. */
  writer(): Promise<Connection> {
    const { hostname: host, port, username: user, password } = this.#url;
    const database = 'shop';
    return createConnection({
      host,
      port: Number(port),
      user,
      password,
      database,
      multipleStatements: true,
      charset: 'utf8mb4',
    });
  }

  connector(
    config: Partial<Config> = {},
    target = this.target(),
    context: Partial<ConnectorContext<Config>> = {},
  ): Connector {
    const created = plugin.create(
      connectorContext({
        config: { ...this.config, ...config },
        target,
        ...context,
      }),
    );
    if (created instanceof Promise) throw new Error('the connector is not there at once');
    this.#connectors.push(created);
    return created;
  }

  /** Closes the connectors made so far, and empties the databases. */
  async clear(): Promise<void> {
    for (const connector of this.#connectors.splice(0)) await connector.close?.();
    const { hostname: host, port, username: user, password } = this.#url;
    const client = await createConnection({ host, port: Number(port), user, password });
    for (const name of ['shop', 'more', 'empty', '50% off/#1 ?'])
      await client.query(`drop database if exists \`${name}\``);
    for (const name of ['shop', 'empty'])
      await client.query(`create database ${name} character set utf8mb4`);
    await client.end();
  }
}

export function recordsOf(
  connector: Connector,
  table: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  return recordsAt(connector, `${table}/rows.jsonl`, options);
}
