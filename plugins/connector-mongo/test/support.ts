import { connectorContext } from '@trove/testkit';
import type { Connector, RecordsOptions, SourceRecord } from '@trove/core';

import { collect } from '@trove/test-support/collect.js';
import { FakeMongoServer, type MongoOptions } from '@trove/test-support/mongo/server.js';
import type { MongoConfig } from '../src/config.js';
import plugin from '../src/index.js';

export { grepAll } from '@trove/test-support/grep-all.js';

export { plugin };
export const calm = new AbortController().signal;

/** A server with the database `shop`. Tests write to it, and connectors read it. */
export class World {
  readonly server: FakeMongoServer;
  readonly #connectors: Connector[] = [];

  private constructor(server: FakeMongoServer) {
    this.server = server;
  }

  static async make(options: MongoOptions = {}): Promise<World> {
    return new World(
      await FakeMongoServer.start({ users: { reader: { password: 'secret' } }, ...options }),
    );
  }

  get config(): MongoConfig {
    return {
      password: 'secret',

      collections: [],
      views: true,
      append_only: [],
      direct: false,
      read_preference: 'secondaryPreferred',
      timeout_s: 60,
    };
  }

  get shop(): ReturnType<FakeMongoServer['database']> {
    return this.server.database('shop');
  }

  target({
    user = 'reader@',
    host = `127.0.0.1:${this.server.port}`,
    database = '/shop',
  } = {}): string {
    return `mongodb://${user}${host}${database}`;
  }

  connector(config: Partial<MongoConfig> = {}, target = this.target()): Connector {
    const created = plugin.create(
      connectorContext({ config: { ...this.config, ...config }, target }),
    );
    if (created instanceof Promise) throw new Error('the connector was created asynchronously');
    this.#connectors.push(created);
    return created;
  }

  /** Closes all connectors and empties the server. */
  async clear(): Promise<void> {
    for (const connector of this.#connectors.splice(0)) await connector.close?.();
    for (const database of ['shop', 'empty']) this.server.drop(database);
    this.server.onCommand = () => undefined;
  }

  async remove(): Promise<void> {
    await this.clear();
    await this.server.stop();
  }
}

export function recordsOf(
  connector: Connector,
  collection: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  const path = `${collection}/documents.jsonl`;
  return collect(connector.records?.(path, { signal: calm, ...options }));
}
