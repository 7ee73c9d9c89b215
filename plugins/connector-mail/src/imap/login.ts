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
  #cachedToken: Promise<CachedToken> | null = null;

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
    if (config.refresh_token !== undefined) return { accessToken: await this.#currentToken() };
    const accessToken = await credentials.get('access_token');
    if (accessToken !== undefined) return { accessToken };
    return { pass: (await credentials.get('password')) ?? '' };
  }

  /** Call this after the server rejected the secret. Returns whether another attempt may get a new one. */
  invalidate(): boolean {
    const hadToken = this.#cachedToken !== null;
    this.#cachedToken = null;
    return hadToken;
  }

  async #currentToken(): Promise<string> {
    const cached = await this.#cachedToken;
    if (cached !== null && performance.now() < cached.expiresAt) return cached.token;
    const renewal = this.#renew();
    this.#cachedToken = renewal;
    renewal.catch(() => {
      if (this.#cachedToken === renewal) this.#cachedToken = null;
    });
    return (await renewal).token;
  }

  async #renew(): Promise<CachedToken> {
    let access: CachedToken | null = null;
    await this.#context.credentials.refresh('refresh_token', async (refreshToken) => {
      const answer = await this.#requestToken(refreshToken);
      access = answer.access;
      return answer.refreshToken;
    });
    // Another source in this process renewed it at the same time.
    return access ?? this.#renew();
  }

  async #requestToken(
    refreshToken: string,
  ): Promise<{ access: CachedToken; refreshToken: string }> {
    const { http, config, credentials } = this.#context;
    const secret = await credentials.get('client_secret');
    const response = await http(config.token_url ?? '', {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: config.client_id ?? '',
        ...(secret === undefined ? {} : { client_secret: secret }),
      }),
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
    const body: unknown = await response.json().catch(() => null);
    const token = readText(body, 'access_token');
    if (!response.ok || token === null) throw this.#tokenError(response.status, body);
    const lifetimeS = Number(Object(body)['expires_in']) || defaultLifetimeS;
    const until = performance.now() + Math.max(lifetimeS - renewalMarginS, lifetimeS / 2) * 1000;
    return {
      access: { token, expiresAt: until },
      refreshToken: readText(body, 'refresh_token') ?? refreshToken,
    };
  }

  #tokenError(status: number, body: unknown): TroveError {
    const { config, error } = this.#context;
    const { host } = new URL(config.token_url ?? '');
    const reason = readText(body, 'error');
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

function readText(body: unknown, name: string): string | null {
  const value: unknown = Object(body)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
