import { TroveError, type Credentials } from '@trove/core';

import { serviceMessage } from '../answer-rules.js';
import type { Answer, OAuth2, OAuth2Client, Scope } from '../description/index.js';
import { textOf, valueAt } from '../json.js';
import { renderJson, renderOptional, renderText } from '../template.js';
import { timeOf } from '../times.js';
import type { AccessToken } from './access-tokens.js';
import { signJwt } from './jwt.js';

/** A POST to a token endpoint. */
export interface TokenRequest {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type PostToken = (request: TokenRequest) => Promise<Answer>;

const defaultLifetimeMs = 300_000;
/** Larger numbers are times, not lifetimes in seconds. */
const maxLifetimeSeconds = 1_000_000_000;
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export interface TokenOptions {
  readonly credentials: Credentials;
  readonly post: PostToken;
  /** The command that obtains a new refresh token, if there is one. */
  readonly loginCommand: string | null;
}

/** Requests an access token. `scope` has the secrets that the description names. */
export async function requestToken(
  oauth2: OAuth2,
  scope: Scope,
  options: TokenOptions,
): Promise<AccessToken> {
  if (oauth2.grant === 'refresh') return refreshToken(oauth2, scope, options);
  if (oauth2.grant === 'jwt' && oauth2.send === 'direct') {
    const lifetimeMs = (oauth2.jwt.seconds ?? 540) * 1000;
    return { token: signJwt(oauth2.jwt, scope), expiresAt: Date.now() + lifetimeMs };
  }
  return tokenOf(await options.post(tokenRequest(oauth2, scope)), oauth2, null);
}

type RefreshGrant = Extract<OAuth2, { grant: 'refresh' }>;

/** Stores the new refresh token before the access token is used, because the old one may be void. */
async function refreshToken(
  oauth2: RefreshGrant,
  scope: Scope,
  { credentials, post, loginCommand }: TokenOptions,
): Promise<AccessToken> {
  let access: AccessToken | undefined;
  await credentials.refresh(oauth2.refreshToken, async (current) => {
    const form = { grant_type: 'refresh_token', refresh_token: current };
    const answer = await post(
      clientRequest(oauth2.client, form, renderText(oauth2.tokenUrl, scope), scope),
    );
    access = tokenOf(answer, oauth2, loginCommand);
    return textOf(valueAt(answer.body, 'refresh_token')) ?? current;
  });
  if (access !== undefined) return access;
  // Another caller has refreshed the token meanwhile and did not share the access token.
  throw new TroveError('connector_unhealthy', 'Another source is refreshing the login', {
    retryable: true,
    suggestions: [],
  });
}

function tokenRequest(oauth2: Exclude<OAuth2, RefreshGrant>, scope: Scope): TokenRequest {
  const url = renderText(oauth2.tokenUrl ?? '', scope);
  switch (oauth2.grant) {
    case 'client': {
      const form = { grant_type: 'client_credentials', ...textsOf(oauth2.params ?? {}, scope) };
      return clientRequest(oauth2.client, form, url, scope);
    }
    case 'jwt': {
      const assertion = signJwt(oauth2.jwt, scope);
      return oauth2.send === 'bearer'
        ? { url, headers: { authorization: `Bearer ${assertion}` } }
        : { url, form: { grant_type: jwtBearer, assertion } };
    }
    case 'request':
      return oauth2.form === undefined
        ? { url, body: renderJson(oauth2.body ?? {}, scope) }
        : { url, form: textsOf(oauth2.form, scope) };
  }
}

function clientRequest(
  client: OAuth2Client,
  form: Readonly<Record<string, string>>,
  url: string,
  scope: Scope,
): TokenRequest {
  const id = renderText(client.id, scope);
  const secret = client.secret === undefined ? undefined : renderOptional(client.secret, scope);
  const scopes = client.scopes === undefined ? {} : { scope: client.scopes.join(' ') };
  if (client.send === 'basic') {
    const login = Buffer.from(`${id}:${secret ?? ''}`).toString('base64');
    return { url, headers: { authorization: `Basic ${login}` }, form: { ...form, ...scopes } };
  }
  const own = { client_id: id, ...(secret === undefined ? {} : { client_secret: secret }) };
  return { url, form: { ...form, ...own, ...scopes } };
}

function textsOf(
  texts: Readonly<Record<string, Parameters<typeof renderText>[0]>>,
  scope: Scope,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, renderText(text, scope)]),
  );
}

function tokenOf(
  answer: Answer,
  { token = 'access_token', expires = 'expires_in' }: OAuth2,
  loginCommand: string | null,
): AccessToken {
  const value = answer.status < 400 ? textOf(valueAt(answer.body, token)) : undefined;
  if (value === undefined || value === '') throw refusal(answer, loginCommand);
  return { token: value, expiresAt: expiryOf(valueAt(answer.body, expires)) };
}

function expiryOf(value: unknown): number {
  const seconds = Number(textOf(value) ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds < maxLifetimeSeconds) return Date.now() + seconds * 1000;
  return timeOf(value) ?? Date.now() + defaultLifetimeMs;
}

/** `invalid_grant` means that the refresh token was revoked or has expired. */
function refusal(answer: Answer, loginCommand: string | null): TroveError {
  const message = serviceMessage(answer);
  const detail = `${new URL(answer.url).host} issued no access token (HTTP ${answer.status})${message === '' ? '' : `: ${message}`}`;
  return new TroveError('connector_unhealthy', detail, {
    retryable: answer.status >= 500 || answer.status === 429,
    suggestions: [
      loginCommand !== null && textOf(valueAt(answer.body, 'error')) === 'invalid_grant'
        ? `Log in again on the machine of the server: \`${loginCommand}\``
        : 'Check the client id, its secret and the refresh token or key. Log in again if they have expired.',
    ],
  });
}
