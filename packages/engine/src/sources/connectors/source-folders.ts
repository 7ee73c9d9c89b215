import { inject, injectable, createToken } from '@trove/core/di';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorRegistry } from '@trove/core/store';
import { SourceFolderToken } from '../../tokens.js';

/** The token of `SourceFolders` in an engine's container. */
export const SourceFoldersToken = createToken<SourceFolders>('engine.source_folders');

/** The folders in which connectors keep data that they can fetch again: one folder per source of a database. */
@injectable()
export class SourceFolders {
  readonly #folder: string | null;

  /** Null: connectors keep nothing. */
  constructor(@inject(SourceFolderToken) folder: string | null) {
    this.#folder = folder;
  }

  /** Returns the absolute path of a source's folder, which need not exist. The source need not be registered. */
  of(id: string): string | null {
    return this.#folder === null ? null : join(this.#folder, id);
  }

  async remove(id: string): Promise<void> {
    if (this.#folder !== null) await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  /** Deletes the folders of unregistered sources, such as those removed on another machine. */
  async sweep(sources: Pick<ConnectorRegistry, 'list'>): Promise<void> {
    if (this.#folder === null) return;
    const found = await readdir(this.#folder).catch(() => []);
    if (found.length === 0) return;
    const registered = new Set((await sources.list()).map(({ id }) => id));
    for (const id of found) if (!registered.has(id)) await this.remove(id);
  }
}
