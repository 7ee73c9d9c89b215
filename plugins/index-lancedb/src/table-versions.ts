import { stat } from 'node:fs/promises';
import type { Table } from '@lancedb/lancedb';
import type { TableVersion } from './row-keys.js';

/** Determines the versions of a table. */
export class TableVersions {
  readonly #folder: string | null;
  /** The number of tables seen under this name, and the identity of the last one. */
  #tables = 0;
  #folderIdentity = '';

  /** `folder`: the local folder of the table, or null. */
  constructor(folder: string | null) {
    this.#folder = folder;
  }

  /** Returns the version that queries of a table read, or null without a local folder: reading it takes a request. */
  async current(table: Table): Promise<TableVersion | null> {
    if (this.#folder === null) return null;
    // Read before the version. If the table is replaced in between, nothing is found under this version again.
    const folder = await stat(this.#folder, { bigint: true }).catch(() => null);
    if (folder === null) return null;
    // Some file systems do not store the birth time. The change time is a substitute, because the folder rarely changes.
    const folderIdentity = [folder.ino, folder.birthtimeNs, folder.ctimeNs].join(' ');
    if (folderIdentity !== this.#folderIdentity) this.#tables++;
    this.#folderIdentity = folderIdentity;
    return { table: this.#tables, version: await table.version() };
  }
}

/** Returns a text that differs between versions of a table. */
export function versionName({ table, version }: TableVersion): string {
  return `${table} ${version}`;
}
