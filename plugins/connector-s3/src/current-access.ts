import type { ConnectorContext } from '@trove/core';

import { loadAccess, type S3Access } from './access.js';
import type { S3Config } from './config.js';
import { googleAccessOf } from './google.js';
import { RoleCredentials } from './role-credentials.js';

type AccessContext = Pick<ConnectorContext<S3Config>, 'config' | 'credentials' | 'http'>;

/** So long a key is used before it is looked up again; one that is refused, at once. */
const maxAccessAgeMs = 60_000;

/** What requests are made with, also after the key was replaced where the settings say that it is. */
export class CurrentAccess {
  readonly #context: AccessContext;
  readonly #isGoogles: boolean;
  readonly #roles: RoleCredentials;
  #access: Promise<S3Access> | null = null;
  #lookedUpAt = -Infinity;

  constructor(context: AccessContext, isGoogles: boolean) {
    this.#context = context;
    this.#isGoogles = isGoogles;
    this.#roles = new RoleCredentials(context.http);
  }

  /** Throws `config_invalid` and `credential_error`. */
  get(): Promise<S3Access> {
    if (performance.now() - this.#lookedUpAt > maxAccessAgeMs) this.#access = null;
    return (this.#access ??= this.#lookUp());
  }

  /** Whether another key has taken the place of one that was refused. */
  async refresh({ credentials }: S3Access): Promise<boolean> {
    this.#access = null;
    this.#roles.invalidate();
    const now = (await this.get()).credentials;
    return JSON.stringify(now) !== JSON.stringify(credentials);
  }

  #lookUp(): Promise<S3Access> {
    this.#lookedUpAt = performance.now();
    const access = this.#accessNow();
    access.catch(() => {
      if (this.#access === access) this.#access = null;
    });
    return access;
  }

  async #accessNow(): Promise<S3Access> {
    const config = await currentConfig(this.#context);
    if (this.#isGoogles) return googleAccessOf(config);
    return loadAccess(config, process.env, (env, region) => this.#roles.key(env, region));
  }
}

/** The settings with their key as it is now. */
async function currentConfig({ config, credentials }: AccessContext): Promise<S3Config> {
  const names = ['access_key_id', 'secret_access_key', 'session_token'] as const;
  const now = { ...config };
  for (const name of names) {
    const value = await credentials.get(name);
    if (value !== undefined) now[name] = value;
  }
  return now;
}
