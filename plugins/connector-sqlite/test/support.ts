import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { formatUri, type Connector, type RecordsOptions, type SourceRecord } from '@trove/core';
import { connectorContext, testWorkers } from '@trove/testkit';
import sqlite3 from 'sqlite3';

import { collect } from '@trove/test-support/collect.js';
import { recordsAt } from '@trove/test-support/records-at.js';
import { withFixture } from '@trove/test-support/with-fixture.js';
import { createSqliteConnector } from '../src/connector.js';
import plugin from '../src/index.js';
import { ProcessPool } from '../src/process-pool.js';

export { grepAll } from '@trove/test-support/grep-all.js';

export { plugin };

/** A folder with databases. Tests write to them, and connectors read them. */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'trove-sqlite-'));
  readonly #open: sqlite3.Database[] = [];
  readonly #connectors: Connector[] = [];

  path(name = 'world.db'): string {
    return join(this.folder, name);
  }

  target(name?: string): string {
    return formatUri({ scheme: 'sqlite', authority: 'local', path: this.path(name) });
  }

  /** Runs statements on a connection that is closed afterwards. */
  async write(sql: string, name?: string): Promise<void> {
    const writer = await this.writer(name);
    await writer(sql);
    await new Promise((resolve) => this.#open.pop()?.close(resolve));
  }

  /** Opens a connection that stays open, like that of a running program. */
  async writer(name?: string): Promise<(sql: string) => Promise<void>> {
    const database = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opened = new sqlite3.Database(this.path(name), (error) =>
        error === null ? resolve(opened) : reject(error),
      );
    });
    this.#open.push(database);
    return (sql) =>
      new Promise((resolve, reject) => {
        database.exec(sql, (error) => (error === null ? resolve() : reject(error)));
      });
  }

  connector(
    config: { tables?: string[]; views?: boolean } = {},
    name?: string,
    deniedRoots: string[] = [],
    processes = new ProcessPool(testWorkers),
  ): Connector {
    const created = createSqliteConnector(
      connectorContext({
        config: { tables: [], views: true, ...config },
        target: this.target(name),
        deniedRoots,
      }),
      processes,
    );
    this.#connectors.push(created);
    return created;
  }

  async remove(): Promise<void> {
    for (const connector of this.#connectors) await connector.close?.();
    for (const database of this.#open) await new Promise((resolve) => database.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a test with a world and removes the world afterwards. */
export const inWorld = withFixture(() => new World());

const calm = new AbortController().signal;

export function recordsOf(
  connector: Connector,
  table: string,
  options: Partial<RecordsOptions> = {},
): Promise<SourceRecord[]> {
  return recordsAt(connector, `main/${table}/rows.jsonl`, options);
}

export async function listOf(connector: Connector): Promise<Map<string, string | null>> {
  const entries = await collect(connector.list({ signal: calm }));
  return new Map(entries.map(({ path, fingerprint }) => [path, fingerprint]));
}
