import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import {
  defineMetadataStore,
  type GenerationSpec,
  type MetadataStore,
  type MetadataStorePlugin,
} from '@trove/core/store';
import plugins from '@trove/store-knex';
import { pluginContext } from '@trove/testkit';
import sqlite3 from 'sqlite3';

const [metadataStore] = plugins;
const configSchema = { type: 'object', properties: {}, additionalProperties: false } as const;
const defaultGeneration: GenerationSpec = { embedding: 'lexical/1', dimension: 8 };
const retryMs = 5;

type Row = Readonly<Record<string, unknown>>;

/** A metadata database in an SQLite file of its own. The file outlives the stores, and is deleted when the process exits. */
export class MetadataDatabase {
  readonly #path = newPath();
  readonly #opened: MetadataStore[] = [];
  #copied: Promise<void> | undefined;
  #connection: sqlite3.Database | undefined;

  /** Opens another store on the same data, as another process would. */
  async open(namespace = 'default', generation = defaultGeneration): Promise<MetadataStore> {
    this.#copied ??= copyTemplate(this.#path);
    await this.#copied;
    const store = await openFile(this.#path, namespace, generation);
    this.#opened.push(store);
    return store;
  }

  /** Returns the plugin `sqlite` on this database. Engines that share the plugin share the data. */
  plugin(): MetadataStorePlugin<typeof configSchema> {
    return defineMetadataStore({
      keys: ['sqlite'],
      configSchema,
      create: ({ namespace, generation }) => this.open(namespace, generation),
    });
  }

  /** Runs one statement beside the stores. Waits for their locks. */
  async query(sql: string, ...values: readonly unknown[]): Promise<Row[]> {
    this.#connection ??= new sqlite3.Database(this.#path);
    for (;;) {
      try {
        return await run(this.#connection, sql, values);
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
      await delay(retryMs);
    }
  }

  /** Closes the connection and every store. */
  async close(): Promise<void> {
    await Promise.all(this.#opened.map((store) => store.close()));
    const connection = this.#connection;
    if (connection !== undefined) await new Promise((resolve) => connection.close(resolve));
  }
}

async function openFile(
  path: string,
  namespace: string,
  generation: GenerationSpec,
): Promise<MetadataStore> {
  const context = pluginContext({ config: { path } });
  return metadataStore.create({ ...context, backend: 'sqlite', namespace, generation });
}

/** Opens the metadata of a PostgreSQL database. */
export async function openPostgresMetadata(dsn: string): Promise<MetadataStore> {
  const context = pluginContext({ config: { dsn } });
  const more = { backend: 'postgres', namespace: 'default', generation: defaultGeneration };
  return metadataStore.create({ ...context, ...more });
}

let folder: string | undefined;
let files = 0;

function newPath(): string {
  folder ??= newFolder();
  return join(folder, `${++files}.db`);
}

function newFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'trove-metadata-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}

let template: Promise<string> | undefined;

/** Copying a database with empty tables takes a fifth of the time of creating the tables. */
async function copyTemplate(path: string): Promise<void> {
  template ??= newTemplate();
  await copyFile(await template, path);
}

async function newTemplate(): Promise<string> {
  const path = newPath();
  await (await openFile(path, 'template', defaultGeneration)).close();
  return path;
}

function run(
  connection: sqlite3.Database,
  sql: string,
  values: readonly unknown[],
): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    connection.all<Row>(sql, values, (error, rows) =>
      error === null ? resolve(rows) : reject(error),
    );
  });
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
