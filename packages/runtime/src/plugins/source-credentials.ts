import { createHash } from 'node:crypto';
import { TroveError, type Credentials, type JsonSchema } from '@trove/core';
import { withTimeout } from '../abort.js';
import { resolveSecret, type PluginConfig } from './config.js';
import type { DeniedSecrets } from './credentials.js';
import type { TokenStore } from './token-store.js';
import type { SecretVariants } from './secret-variants.js';

const renewMs = 60_000;

export interface SourceCredentialsOptions {
  readonly schema: JsonSchema;
  /** With unresolved references. */
  readonly config: PluginConfig;
  readonly tokens: TokenStore;
  /** Receives every secret that is handed out. */
  readonly secrets: SecretVariants;
  readonly signal: AbortSignal;
  readonly deniedSecrets: DeniedSecrets;
}

/** The credentials of one source for its connector. */
export class SourceCredentials implements Credentials {
  readonly #options: SourceCredentialsOptions;
  readonly #refreshing = new Map<string, Promise<string>>();

  constructor(options: SourceCredentialsOptions) {
    this.#options = options;
  }

  get login(): string {
    const { config } = this.#options;
    return createHash('sha256').update(JSON.stringify(config)).digest('hex').slice(0, 32);
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#current(name))?.token;
  }

  refresh(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const running = this.#refreshing.get(name);
    if (running !== undefined) return running;
    const renewing = this.#options.tokens
      .withLock(() => this.#renewToken(name, renew), this.#options.signal)
      .finally(() => this.#refreshing.delete(name));
    this.#refreshing.set(name, renewing);
    return renewing;
  }

  async #renewToken(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const { tokens, secrets, signal } = this.#options;
    const current = await this.#current(name);
    if (current === undefined)
      throw new TroveError('credential_error', `config.${name}: is not set`);
    const token: unknown = await withTimeout(renewMs, signal, async () => renew(current.token));
    if (typeof token !== 'string' || token === '')
      throw new TroveError('plugin_invalid', `credentials.refresh: \`renew\` must return a token`);
    secrets.addToken(token);
    await tokens.put(name, { configuredHash: current.configuredHash, token });
    return token;
  }

  /** Returns the current token, and the hash of the configured one. */
  async #current(name: string): Promise<{ token: string; configuredHash: string } | undefined> {
    const { schema, config, tokens, secrets, deniedSecrets } = this.#options;
    const given = await resolveSecret(schema, config, name, deniedSecrets);
    if (given === undefined) return undefined;
    const configuredHash = createHash('sha256').update(given).digest('hex');
    const stored = await tokens.get(name);
    const token = stored?.configuredHash === configuredHash ? stored.token : given;
    secrets.addToken(token);
    return { token, configuredHash };
  }
}
