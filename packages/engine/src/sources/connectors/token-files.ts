import { inject, injectable, createToken } from '@trove/core/di';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectorRegistry } from '@trove/core/store';
import type { EngineSettings } from '../../settings.js';
import { CredentialFolderToken, SettingsToken } from '../../tokens.js';
import { connectorId } from '../ids.js';

/** A source that is being added has a token before it is registered. */
const minAgeMs = 24 * 60 * 60 * 1000;

/** The token of `TokenFiles` in an engine's container. */
export const TokenFilesToken = createToken<TokenFiles>('engine.token_files');

/** The files with refreshed tokens of sources, which replace the tokens in their configuration. */
@injectable()
export class TokenFiles {
  readonly #folder: string | null;
  readonly #namespace: string;

  /** Null: tokens are kept in memory. */
  constructor(
    @inject(CredentialFolderToken) folder: string | null,
    @inject(SettingsToken) settings: EngineSettings,
  ) {
    this.#folder = folder;
    this.#namespace = settings.namespace;
  }

  /** Returns the absolute path of a source's file, which need not exist. The source need not be registered. */
  fileOf(rootUri: string): string | null {
    return this.#fileOf(connectorId(this.#namespace, rootUri));
  }

  async remove(id: string): Promise<void> {
    const file = this.#fileOf(id);
    if (file !== null) await rm(file, { force: true });
  }

  /** Deletes the files of unregistered sources. */
  async sweep(sources: Pick<ConnectorRegistry, 'list'>): Promise<void> {
    if (this.#folder === null) return;
    const found = await readdir(this.#folder).catch(() => []);
    if (found.length === 0) return;
    const registered = new Set((await sources.list()).map(({ id }) => `${id}.json`));
    for (const name of found) {
      const file = join(this.#folder, name);
      const { mtimeMs = Date.now() } = (await stat(file).catch(() => null)) ?? {};
      if (!registered.has(name) && Date.now() - mtimeMs > minAgeMs) await rm(file, { force: true });
    }
  }

  #fileOf(id: string): string | null {
    return this.#folder === null ? null : join(this.#folder, `${id}.json`);
  }
}
