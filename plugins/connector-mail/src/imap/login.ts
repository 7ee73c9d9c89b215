import type { TroveError } from '@trove/core';

import type { ImapContext } from './context.js';

const requestTimeoutMs = 7000;
/** A token is renewed this long before it expires. */
const renewalMarginS = 60;
const defaultLifetimeS = 1800;

export type ImapSecret = { readonly pass: string } | { readonly accessToken: string };

interface CachedToken {
  readonly token: string;
  readonly expiresAt: number;
}

/** Provides the secret of a login: the configured one, or an access token obtained with a refresh token. */
export class Login {
  readonly #context: ImapContext;
  #access: Promise<CachedToken> | null = null;

  /** Throws `config_invalid` for a refresh token without `token_url` and `client_id`. */
  constructor(context: ImapContext) {
    const { config, error } = context;
    if (config.refresh_token !== undefined && !(config.token_url && config.client_id))
      throw error('config_invalid', 'config.refresh_token: requires `token_url` and `client_id`');
    this.#context = context;
  }

  /** Throws `credential_error` if the refresh token is no longer valid. */
  async secret(): Promise<ImapSecret> {
    const { credentials, config } = this.#context;
    if (config.refresh_token !== undefined) return { accessToken: await this.#current() };
    const accessToken = await credentials.get('access_token');
    if (accessToken !== undefined) return { accessToken };
    return { pass: (await credentials.get('password')) ?? '' };
  }

  /** Call this after the server rejected the secret. Returns whether another attempt may get a new one. */
  invalidate(): boolean {
    const hadOne = this.#access !== null;
    this.#access = null;
    return hadOne;
  }

  async #current(): Promise<string> {
    const known = await this.#access;
    if (known !== null && performance.now() < known.expiresAt) return known.token;
    const renewing = this.#renewed();
    this.#access = renewing;
    renewing.catch(() => {
      if (this.#access === renewing) this.#access = null;
    });
    return (await renewing).token;
  }

  async #renewed(): Promise<CachedToken> {
    let access: CachedToken | null = null;
    await this.#context.credentials.refresh('refresh_token', async (old) => {
      const given = await this.#asked(old);
      access = given.access;
      return given.refreshToken;
    });
    // Another source in this process renewed it at the same time.
    return access ?? this.#renewed();
  }

  async #asked(old: string): Promise<{ access: CachedToken; refreshToken: string }> {
    const { http, config, credentials } = this.#context;
    const secret = await credentials.get('client_secret');
    const response = await http(config.token_url ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: old,
        client_id: config.client_id ?? '',
        ...(secret === undefined ? {} : { client_secret: secret }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const said: unknown = await response.json().catch(() => null);
    const token = textIn(said, 'access_token');
    if (!response.ok || token === null) throw this.#refusal(response.status, said);
    const lasts = Number(Object(said)['expires_in']) || defaultLifetimeS;
    const until = performance.now() + Math.max(lasts - renewalMarginS, lasts / 2) * 1000;
    return {
      access: { token, expiresAt: until },
      refreshToken: textIn(said, 'refresh_token') ?? old,
    };
  }

  #refusal(status: number, said: unknown): TroveError {
    const { config, error } = this.#context;
    const { host } = new URL(config.token_url ?? '');
    const reason = textIn(said, 'error');
    if (status >= 500 || status === 429)
      return error('connector_unhealthy', `${host} could not issue an access token.`, {
        retryable: true,
      });
    const remedy =
      reason === 'invalid_client'
        ? 'Correct `client_id` and `client_secret`.'
        : 'Log in again and set `refresh_token` to the new token.';
    const why = reason === null ? `HTTP ${status}` : reason.slice(0, 100);
    return error('credential_error', `${host} refused an access token (${why}). ${remedy}`);
  }
}

function textIn(said: unknown, name: string): string | null {
  const value: unknown = Object(said)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
