import { createHash } from 'node:crypto';
import { TroveError, type Credentials, type JsonSchema } from '@trove/core';
import { limitedTo } from '../abort.js';
import { resolveSecret, type Config } from './config.js';
import type { WithheldSecrets } from './credentials.js';
import type { KeptTokens } from './kept-tokens.js';
import type { SecretTraces } from './secret-traces.js';

const renewMs = 60_000;

export interface SourceCredentialsOptions {
  readonly schema: JsonSchema;
  /** With its references. */
  readonly config: Config;
  readonly tokens: KeptTokens;
  /** Told of every secret that is handed out. */
  readonly secrets: SecretTraces;
  readonly signal: AbortSignal;
  readonly deniedRoots: WithheldSecrets;
}

/** The credentials of one source, as its connector sees them. */
export class SourceCredentials implements Credentials {
  readonly #options: SourceCredentialsOptions;
  readonly #refreshing = new Map<string, Promise<string>>();

  constructor(options: SourceCredentialsOptions) {
    this.#options = options;
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.#current(name))?.token;
  }

  refresh(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const running = this.#refreshing.get(name);
    if (running !== undefined) return running;
    const renewed = this.#options.tokens
      .alone(() => this.#renewed(name, renew), this.#options.signal)
      .finally(() => this.#refreshing.delete(name));
    this.#refreshing.set(name, renewed);
    return renewed;
  }

  async #renewed(name: string, renew: (token: string) => Promise<string>): Promise<string> {
    const { tokens, secrets, signal } = this.#options;
    const current = await this.#current(name);
    if (current === undefined)
      throw new TroveError('credential_error', `config.${name}: is not set`);
    const token: unknown = await limitedTo(renewMs, signal, async () => renew(current.token));
    if (typeof token !== 'string' || token === '')
      throw new TroveError('plugin_invalid', `credentials.refresh: \`renew\` must return a token`);
    secrets.add(token);
    await tokens.keep(name, { of: current.of, token });
    return token;
  }

  /** The token, and what the configuration gives in its place. */
  async #current(name: string): Promise<{ token: string; of: string } | undefined> {
    const { schema, config, tokens, secrets, deniedRoots } = this.#options;
    const given = await resolveSecret(schema, config, name, deniedRoots);
    if (given === undefined) return undefined;
    const of = createHash('sha256').update(given).digest('hex');
    const kept = await tokens.of(name);
    const token = kept?.of === of ? kept.token : given;
    secrets.add(token);
    return { token, of };
  }
}
