import { inject, injectable, createToken } from '@trove/core/di';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorRegistry } from '@trove/core/store';
import type { EngineSettings } from '../../settings.js';
import { SettingsToken, SourceFolderToken } from '../../tokens.js';
import { connectorId } from '../ids.js';

/** The token of `SourceFolders` in an engine's container. */
export const SourceFoldersToken = createToken<SourceFolders>('engine.source_folders');

/** The folders in which connectors keep what they can fetch again, one for each source of one database. */
@injectable()
export class SourceFolders {
  readonly #folder: string | null;
  readonly #namespace: string;

  /** Null: nothing is kept. */
  constructor(
    @inject(SourceFolderToken) folder: string | null,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#folder = folder;
    this.#namespace = settings.namespace;
  }

  /** Absolute path of the folder of a source, registered or not, which need not be there. */
  of(rootUri: string): string | null {
    return this.#folder === null ? null : join(this.#folder, connectorId(this.#namespace, rootUri));
  }

  async remove(id: string): Promise<void> {
    if (this.#folder !== null) await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  /** Removes those of sources that are not registered: removed on another machine, say. */
  async sweep(sources: Pick<ConnectorRegistry, 'list'>): Promise<void> {
    if (this.#folder === null) return;
    const found = await readdir(this.#folder).catch(() => []);
    if (found.length === 0) return;
    const registered = new Set((await sources.list()).map(({ id }) => id));
    for (const id of found) if (!registered.has(id)) await this.remove(id);
  }
}
