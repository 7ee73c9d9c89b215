import type {
  Connector,
  ConnectorContext,
  ConnectorPlugin,
  RecordsOptions,
  SourceRecord,
} from '@trove/core';
import { connectorContext } from '@trove/testkit';

import { collect } from '../collect.js';
import { recordsAt } from '../records-at.js';

export type SqlSettings = Readonly<Record<string, unknown>>;

/** The SQL that tests need in one database. */
export interface SqlWords {
  /** A type with microseconds. */
  readonly timeType: string;
  readonly bytesType: string;
  /** A type for texts of any length. */
  readonly textType: string;
  quoted(name: string): string;
  /** Returns a literal for a text. */
  text(value: string): string;
  /** Returns a literal for bytes in hexadecimal. */
  bytes(hex: string): string;
  /** Returns a table of whole numbers in a column `seq`. */
  series(from: number, to: number): string;
}

/** A database connection of a test. */
export interface Writer {
  /** Returns the rows of the only statement. */
  query(sql: string): Promise<readonly unknown[]>;
  end(): Promise<void>;
}

export interface SqlWorldOptions {
  readonly plugin: ConnectorPlugin;
  /** Contains the user and password of the tests. */
  readonly url: string;
  readonly scheme: string;
  readonly database: string;
  /** Contains the tables of the tests: `public/`, or nothing. */
  readonly folder: string;
}

/** A database that a test writes and a connector reads. */
export abstract class SqlWorld {
  abstract readonly words: SqlWords;
  readonly plugin: ConnectorPlugin;
  readonly folder: string;
  readonly database: string;
  protected readonly url: URL;
  readonly #scheme: string;
  readonly #connectors: Connector[] = [];

  constructor({ plugin, url, scheme, database, folder }: SqlWorldOptions) {
    this.plugin = plugin;
    this.url = new URL(url);
    this.database = database;
    this.folder = folder;
    this.#scheme = scheme;
  }

  /** Opens a connection with times in UTC. */
  abstract writer(): Promise<Writer>;

  /** Closes all connectors and deletes everything in the database. */
  abstract clear(): Promise<void>;

  get config(): SqlSettings {
    const { password } = this.url;
    return { password, schemas: [], tables: [], views: true, timeout_s: 60 };
  }

  get login(): { readonly user: string; readonly password: string } {
    return { user: this.url.username, password: this.url.password };
  }

  get address(): { readonly host: string; readonly port: number } {
    return { host: this.url.hostname, port: Number(this.url.port) };
  }

  target({
    user = this.url.username,
    host = this.url.host,
    database = this.database,
  } = {}): string {
    return `${this.#scheme}://${user}@${host}${database === '' ? '' : `/${database}`}`;
  }

  async write(sql: string): Promise<readonly unknown[]> {
    const writer = await this.writer();
    try {
      return await writer.query(sql);
    } finally {
      await writer.end();
    }
  }

  connector(
    config: SqlSettings = {},
    target = this.target(),
    context: Partial<ConnectorContext<SqlSettings>> = {},
  ): Connector {
    return this.#opened({ config: { ...this.config, ...config }, target, ...context });
  }

  /** Returns a connector for a target with a name instead of an address. The configuration contains the rest. */
  named(config: SqlSettings): Connector {
    const { password: _, ...others } = this.config;
    const target = `${this.#scheme}://prod-db`;
    return this.#opened({ config: { ...others, ...config }, target });
  }

  recordsOf(
    connector: Connector,
    table: string,
    options: Partial<RecordsOptions> = {},
  ): Promise<SourceRecord[]> {
    return recordsAt(connector, `${this.folder}${table}/rows.jsonl`, options);
  }

  /** Returns the folders of the tables that a connector lists. `!` marks skipped ones. */
  async tablesOf(connector: Connector): Promise<string[]> {
    const { signal } = new AbortController();
    return (await collect(connector.list({ signal })))
      .filter(({ path }) => path.endsWith('/rows.jsonl'))
      .map(({ path, skip }) => path.replace('/rows.jsonl', skip === undefined ? '' : '!'));
  }

  protected async closeConnectors(): Promise<void> {
    for (const connector of this.#connectors.splice(0)) await connector.close?.();
  }

  #opened(
    own: Pick<ConnectorContext<SqlSettings>, 'config' | 'target'> &
      Partial<ConnectorContext<SqlSettings>>,
  ): Connector {
    const created = this.plugin.create(connectorContext(own));
    if (created instanceof Promise) throw new Error('the connector was not created synchronously');
    this.#connectors.push(created);
    return created;
  }
}
