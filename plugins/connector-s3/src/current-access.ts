import type { ConnectorContext } from '@trove/core';

import { loadAccess, type S3Access } from './access.js';
import type { S3Config } from './config.js';
import { googleAccessOf } from './google.js';
import { RoleCredentials } from './role-credentials.js';

/** The part of the connector context that access depends on. */
export type AccessContext = Pick<ConnectorContext<S3Config>, 'config' | 'credentials' | 'http'>;

/** A key is looked up again after this time, and at once after a rejection. */
const maxAccessAgeMs = 60_000;

/** The current address and credentials. Follows a key that is replaced in its file or environment variable. */
export class CurrentAccess {
  readonly #context: AccessContext;
  readonly #isGoogle: boolean;
  readonly #roles: RoleCredentials;
  #access: Promise<S3Access> | null = null;
  #lookedUpAt = -Infinity;

  constructor(context: AccessContext, isGoogle: boolean) {
    this.#context = context;
    this.#isGoogle = isGoogle;
    this.#roles = new RoleCredentials(context.http);
  }

  /** Throws `config_invalid` and `credential_error`. */
  get(): Promise<S3Access> {
    if (performance.now() - this.#lookedUpAt > maxAccessAgeMs) this.#access = null;
    return (this.#access ??= this.#lookUp());
  }

  /** Looks up the key again after a rejection. Returns whether the key has changed. */
  async refresh({ credentials }: S3Access): Promise<boolean> {
    this.#access = null;
    this.#roles.invalidate();
    const now = (await this.get()).credentials;
    return JSON.stringify(now) !== JSON.stringify(credentials);
  }

  #lookUp(): Promise<S3Access> {
    this.#lookedUpAt = performance.now();
    const access = this.#loadAccess();
    access.catch(() => {
      if (this.#access === access) this.#access = null;
    });
    return access;
  }

  async #loadAccess(): Promise<S3Access> {
    const config = await currentConfig(this.#context);
    if (this.#isGoogle) return googleAccessOf(config);
    return loadAccess(config, process.env, (env, region) => this.#roles.get(env, region));
  }
}

/** Returns the settings with the current key. */
async function currentConfig({ config, credentials }: AccessContext): Promise<S3Config> {
  const names = ['access_key_id', 'secret_access_key', 'session_token'] as const;
  const now = { ...config };
  for (const name of names) {
    const value = await credentials.get(name);
    if (value !== undefined) now[name] = value;
  }
  return now;
}
