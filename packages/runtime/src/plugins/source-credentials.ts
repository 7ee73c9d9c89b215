import { createHash } from 'node:crypto';
import { TroveError, type Credentials, type JsonSchema } from '@trove/core';
import { withTimeout } from '../abort.js';
import { resolveSecret, type PluginConfig } from './config.js';
import type { DeniedSecrets } from './credentials.js';
import type { LimitStore } from './limit-store.js';
import type { TokenStore } from './token-store.js';
import type { SecretVariants } from './secret-variants.js';

const renewMs = 60_000;

export interface SourceCredentialsOptions {
  readonly login: string;
  readonly schema: JsonSchema;
  /** With unresolved references. */
  readonly config: PluginConfig;
  /** Shared by all sources with this login. */
  readonly tokens: TokenStore;
  /** Shared by all sources with this login. */
  readonly limits: LimitStore;
  /** Receives every secret that is handed out. */
  readonly secrets: SecretVariants;
  readonly signal: AbortSignal;
  readonly deniedSecrets: DeniedSecrets;
}

interface CurrentToken {
  readonly token: string;
  /** SHA-256 of the configured token. */
  readonly configuredHash: string;
}

/** The credentials of one source for its connector. */
export class SourceCredentials implements Credentials {
  readonly login: string;
  readonly limits: LimitStore;
  readonly #options: SourceCredentialsOptions;
  readonly #refreshing = new Map<string, Promise<string>>();

  constructor(options: SourceCredentialsOptions) {
    this.login = options.login;
    this.limits = options.limits;
    this.#options = options;
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#current(name))?.token;
  }

  refresh(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const running = this.#refreshing.get(name);
    if (running !== undefined) return running;
    const renewed = this.#refreshInTurn(name, renew).finally(() => this.#refreshing.delete(name));
    this.#refreshing.set(name, renewed);
    return renewed;
  }

  /** Stores a token that a person obtained by logging in. `get` returns it until the configured one changes. */
  async replace(name: string, token: string): Promise<void> {
    const { tokens, secrets, signal } = this.#options;
    secrets.addToken(token);
    await tokens.withLock(
      async () => tokens.put(name, { configuredHash: hashOf(await this.#given(name)), token }),
      signal,
    );
  }

  /** Another source or process with this login may replace the token while this call waits for the lock. */
  async #refreshInTurn(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const { tokens, signal } = this.#options;
    const before = await this.#configured(name);
    return tokens.withLock(async () => {
      const current = await this.#configured(name);
      return current.token === before.token ? this.#renewed(name, current, renew) : current.token;
    }, signal);
  }

  async #renewed(
    name: string,
    { token: old, configuredHash }: CurrentToken,
    renew: (token: string) => Promise<string>,
  ): Promise<string> {
    const { tokens, secrets, signal } = this.#options;
    const token: unknown = await withTimeout(renewMs, signal, async () => renew(old));
    if (typeof token !== 'string' || token === '')
      throw new TroveError('plugin_invalid', `credentials.refresh: \`renew\` must return a token`);
    secrets.addToken(token);
    await tokens.put(name, { configuredHash, token });
    return token;
  }

  async #configured(name: string): Promise<CurrentToken> {
    const current = await this.#current(name);
    if (current !== undefined) return current;
    throw new TroveError('credential_error', `config.${name}: is not set`);
  }

  async #current(name: string): Promise<CurrentToken | undefined> {
    const { tokens, secrets } = this.#options;
    const given = await this.#given(name);
    const configuredHash = hashOf(given);
    const stored = await tokens.get(name);
    const token = stored?.configuredHash === configuredHash ? stored.token : given;
    if (token === undefined) return undefined;
    secrets.addToken(token);
    return { token, configuredHash };
  }

  #given(name: string): Promise<string | undefined> {
    const { schema, config, deniedSecrets } = this.#options;
    return resolveSecret(schema, config, name, deniedSecrets);
  }
}

/** A setting without a value counts as empty, which no configured token is. */
function hashOf(configured: string | undefined): string {
  return createHash('sha256')
    .update(configured ?? '')
    .digest('hex');
}
