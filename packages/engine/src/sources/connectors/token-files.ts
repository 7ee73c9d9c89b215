import { inject, injectable, createToken } from '@trove/core/di';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LimitStore, TokenStore } from '@trove/runtime';
import { CredentialFolderToken } from '../../tokens.js';

/** How long a token outlives the last source with its login, which may be added again. */
const minAgeMs = 24 * 60 * 60 * 1000;

/** The token of `TokenFiles` in an engine's container. */
export const TokenFilesToken = createToken<TokenFiles>('engine.token_files');

/**
 * The files with refreshed tokens, which replace the tokens in configurations, and with the limits of services. Both belong
 * to the login and not to a source.
 */
@injectable()
export class TokenFiles {
  readonly #folder: string | null;
  readonly #inMemory = new Map<string, TokenStore>();
  readonly #limits = new Map<string, LimitStore>();

  /** Null: tokens are kept in memory. */
  constructor(@inject(CredentialFolderToken) folder: string | null) {
    this.#folder = folder;
  }

  /** Returns the tokens of a login, which need not exist. */
  of(login: string): TokenStore {
    if (this.#folder !== null) return new TokenStore(join(this.#folder, `${login}.json`));
    const known = this.#inMemory.get(login) ?? new TokenStore(null);
    this.#inMemory.set(login, known);
    return known;
  }

  /** Returns the state of the limits of a login. */
  limitsOf(login: string): LimitStore {
    const file = this.#folder === null ? null : join(this.#folder, `${login}.limits`);
    const known = this.#limits.get(login) ?? new LimitStore(file);
    this.#limits.set(login, known);
    return known;
  }

  /** Keeps the tokens of a login for another day. */
  async markUsed(login: string): Promise<void> {
    if (this.#folder === null) return;
    const now = new Date();
    // Most logins have no refreshed token.
    await utimes(join(this.#folder, `${login}.json`), now, now).catch(() => undefined);
  }

  /**
   * Deletes the files of logins that no source has had for a day. `listLogins` returns the logins of all registered
   * sources. Null: some are unknown, so nothing is deleted.
   */
  async sweep(listLogins: () => Promise<ReadonlySet<string> | null>): Promise<void> {
    if (this.#folder === null) return;
    const names = await readdir(this.#folder).catch(() => []);
    if (names.length === 0) return;
    const logins = await listLogins();
    if (logins === null) return;
    for (const name of names) {
      const login = name.replace(/\.(?:json|limits)$/, '');
      if (logins.has(login)) await this.markUsed(login);
      else await removeOld(join(this.#folder, name));
    }
  }
}

async function removeOld(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found !== null && Date.now() - found.mtimeMs > minAgeMs) await rm(file, { force: true });
}
