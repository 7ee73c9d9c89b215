import type { ConnectorContext } from '@trove/core';

import { accessOf, type Access } from './access.js';
import type { Config } from './config.js';
import { accessAtGoogle } from './google.js';
import { Roles } from './roles.js';

type Context = Pick<ConnectorContext<Config>, 'config' | 'credentials' | 'http'>;

/** So long a key is used before it is looked up again; one that is refused, at once. */
const usedMs = 60_000;

/** What requests are made with, also after the key was replaced where the settings say that it is. */
export class CurrentAccess {
  readonly #context: Context;
  readonly #isGoogles: boolean;
  readonly #roles: Roles;
  #access: Promise<Access> | null = null;
  #lookedUpAt = -Infinity;

  constructor(context: Context, isGoogles: boolean) {
    this.#context = context;
    this.#isGoogles = isGoogles;
    this.#roles = new Roles(context.http);
  }

  /** Throws `config_invalid` and `credential_error`. */
  get(): Promise<Access> {
    if (performance.now() - this.#lookedUpAt > usedMs) this.#access = null;
    return (this.#access ??= this.#lookUp());
  }

  /** Whether another key has taken the place of one that was refused. */
  async isReplaced({ credentials }: Access): Promise<boolean> {
    this.#access = null;
    this.#roles.forget();
    const now = (await this.get()).credentials;
    return JSON.stringify(now) !== JSON.stringify(credentials);
  }

  #lookUp(): Promise<Access> {
    this.#lookedUpAt = performance.now();
    const access = this.#accessNow();
    access.catch(() => {
      if (this.#access === access) this.#access = null;
    });
    return access;
  }

  async #accessNow(): Promise<Access> {
    const config = await configNow(this.#context);
    if (this.#isGoogles) return accessAtGoogle(config);
    return accessOf(config, process.env, (env, region) => this.#roles.key(env, region));
  }
}

/** The settings with their key as it is now. */
async function configNow({ config, credentials }: Context): Promise<Config> {
  const names = ['access_key_id', 'secret_access_key', 'session_token'] as const;
  const now = { ...config };
  for (const name of names) {
    const value = await credentials.get(name);
    if (value !== undefined) now[name] = value;
  }
  return now;
}
