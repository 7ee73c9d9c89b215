import { isTroveError, type Credentials } from '@trove/core';

import type { HttpDescription, LoginDescription, OAuth2, Scope } from '../description/index.js';
import { isRecord, textOf, valueAt } from '../json.js';
import { AccessTokens } from '../login/access-tokens.js';
import { RequestLogin } from '../login/login.js';
import type { TokenRequest } from '../login/oauth2.js';
import type { HttpRequest } from '../request.js';
import { renderOptional } from '../template.js';
import type { FakeAnswer, FakeRequest } from './fake-service.js';
import { setAt } from './places.js';

const expiresInSeconds = 3600;

/** Knows which logins a fake service accepts: those that the description makes of the secrets in the configuration. */
export class LoginGate {
  readonly #auth: readonly LoginDescription[];
  readonly #scope: Scope;
  readonly #target: string;
  readonly #replaced = new Map<string, string>();
  /** What the service accepts now. */
  readonly credentials: Credentials = {
    login: 'fake',
    get: async (name) => this.#secret(name),
    refresh: async (name, renew) => renew(this.#secret(name) ?? ''),
  };
  #issued = 1;
  #refreshed = 0;

  constructor({ auth }: HttpDescription, scope: Scope, target: string) {
    this.#auth = auth === undefined ? [] : [auth].flat();
    this.#scope = scope;
    this.#target = target;
  }

  /** Whether a request has a valid login. */
  async accepts(request: FakeRequest): Promise<boolean> {
    for (const auth of this.#auth) {
      if (auth === 'none' || isSelfSigned(auth)) {
        if ((request.headers['authorization'] === undefined) === (auth === 'none')) return true;
        continue;
      }
      const login = await this.#loginOf(auth);
      if (login === null) continue;
      const { url, headers } = login;
      const isValid =
        [...url.searchParams].every(([name, value]) => request.query.get(name) === value) &&
        Object.entries(headers).every(
          ([name, value]) => request.headers[name.toLowerCase()] === value,
        );
      if (isValid) return true;
    }
    return this.#auth.length === 0;
  }

  /** Answers a token endpoint. Null for another request. */
  async answer(request: FakeRequest): Promise<FakeAnswer | null> {
    for (const auth of this.#auth) {
      if (typeof auth !== 'object' || !('oauth2' in auth)) continue;
      const { oauth2 } = auth;
      const url = renderOptional(oauth2.tokenUrl ?? '', this.#scope);
      if (url === undefined || !URL.canParse(url) || new URL(url).pathname !== request.path)
        continue;
      return this.#issue(oauth2, request);
    }
    return null;
  }

  /** Refuses the access tokens so far. */
  expireAccess(): void {
    this.#issued++;
  }

  /** Accepts another value of a secret setting, and refuses the former one. */
  replace(name: string, value: string): void {
    this.#replaced.set(name, value);
  }

  #issue(oauth2: OAuth2, { body }: FakeRequest): FakeAnswer {
    const token = { [oauth2.expires ?? 'expires_in']: expiresInSeconds };
    if (oauth2.grant !== 'refresh')
      return { json: setAt(token, oauth2.token ?? 'access_token', this.#token()) };
    const current = this.#secret(oauth2.refreshToken);
    if (!isRecord(body) || body['refresh_token'] !== current)
      return { status: 400, json: { error: 'invalid_grant' } };
    const next = `${current}-${++this.#refreshed}`;
    this.replace(oauth2.refreshToken, next);
    const json = setAt(token, oauth2.token ?? 'access_token', this.#token());
    return { json: setAt(json, 'refresh_token', next) };
  }

  /** Returns a request with a valid login, made by the code that connectors use. Null if its secrets are not set. */
  async #loginOf(auth: LoginDescription): Promise<HttpRequest | null> {
    const login = new RequestLogin({
      auth: [auth],
      credentials: this.credentials,
      tokens: new AccessTokens(),
      target: this.#target,
      post: (request) => this.#post(auth, request),
    });
    const url = new URL('http://fake');
    const empty: HttpRequest = {
      method: 'GET',
      url,
      headers: {},
      body: undefined,
      form: undefined,
      isGraphql: false,
    };
    try {
      return (await login.apply(empty, this.#scope)).request;
    } catch (error) {
      if (isTroveError(error) && error.code === 'config_invalid') return null;
      throw error;
    }
  }

  #post(auth: LoginDescription, { url }: TokenRequest) {
    const path = (typeof auth === 'object' && 'oauth2' in auth && auth.oauth2.token) || undefined;
    const body = setAt({}, path ?? 'access_token', this.#token());
    return Promise.resolve({ status: 200, headers: new Headers(), body, url });
  }

  #token(): string {
    return `access-${this.#issued}`;
  }

  #secret(name: string): string | undefined {
    return this.#replaced.get(name) ?? textOf(valueAt(this.#scope.config, name));
  }
}

/** Whether requests have a signed token of their own, which differs each time. */
function isSelfSigned(auth: LoginDescription): boolean {
  if (typeof auth !== 'object' || !('oauth2' in auth)) return false;
  return auth.oauth2.grant === 'jwt' && auth.oauth2.send === 'direct';
}
