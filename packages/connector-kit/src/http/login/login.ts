import { TroveError, type Credentials } from '@trove/core';

import type { LoginDescription, RequestPart, Scope, Text } from '../description/index.js';
import { addToRequest, type HttpRequest } from '../request.js';
import { renderText } from '../template.js';
import type { AccessTokens } from './access-tokens.js';
import { requestToken, type PostToken } from './oauth2.js';
import { loginCommand } from './oauth-login.js';
import { settingsOf, withSecrets } from './secrets.js';

export interface LoginOptions {
  readonly auth: readonly LoginDescription[];
  readonly credentials: Credentials;
  readonly tokens: AccessTokens;
  /** The URI of the source. */
  readonly target: string;
  /** Sends a request for a token without a login. */
  readonly post: PostToken;
}

/** The login of one request. */
interface Proof {
  readonly part: RequestPart;
  /** The secret that proves it. A refused request is repeated only if this has changed. */
  readonly secret: string;
}

/** Adds the login of a source to its requests. */
export class RequestLogin {
  readonly #options: LoginOptions;

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  /** `refused`: the secret of a request that the service refused. An equal access token is replaced. */
  async apply(
    request: HttpRequest,
    scope: Scope,
    refused?: string,
  ): Promise<{ readonly request: HttpRequest; readonly secret: string }> {
    const { part, secret } = await this.#proof(scope, refused);
    return { request: addToRequest(request, part, scope), secret };
  }

  /** Returns where the login in use requests its access tokens. Undefined: it needs none, or no login is set. */
  async tokenUrl(): Promise<Text | undefined> {
    const { auth, credentials } = this.#options;
    for (const each of auth) {
      if (typeof each === 'function' || each === 'none') return undefined;
      const names = settingsOf(each);
      const secrets = await Promise.all(names.map((name) => credentials.get(name)));
      if (secrets.includes(undefined)) continue;
      return 'oauth2' in each ? each.oauth2.tokenUrl : undefined;
    }
    return undefined;
  }

  /** Returns the first login whose secrets are set. */
  async #proof(scope: Scope, refused: string | undefined): Promise<Proof> {
    const { auth } = this.#options;
    if (auth.length === 0) return { part: {}, secret: '' };
    for (const each of auth) {
      const proof = await this.#tryAuth(each, scope, refused);
      if (proof !== null) return proof;
    }
    const names = [...new Set(auth.flatMap(settingsOf))].map((name) => `\`${name}\``);
    const command = loginCommand(auth, this.#options.target);
    const detail = `config: set ${names.join(' or ')} to log in`;
    throw new TroveError(
      'config_invalid',
      detail,
      command === null
        ? {}
        : { suggestions: [`Or log in on the machine of the server: \`${command}\``] },
    );
  }

  async #tryAuth(
    auth: LoginDescription,
    scope: Scope,
    refused: string | undefined,
  ): Promise<Proof | null> {
    const { credentials } = this.#options;
    if (typeof auth === 'function') {
      const part = await auth(scope, (name) => credentials.get(name));
      return { part, secret: secretOf(part, scope) };
    }
    if (auth === 'none') return { part: {}, secret: '' };
    if ('bearer' in auth) {
      const token = await credentials.get(auth.bearer);
      return token === undefined ? null : headerProof('authorization', `Bearer ${token}`);
    }
    const full = await withSecrets(auth, scope, credentials);
    if (full === null) return null;
    if ('basic' in auth) {
      const user = renderText(auth.basic.user, full);
      const password = renderText(auth.basic.password, full);
      const login = Buffer.from(`${user}:${password}`).toString('base64');
      return headerProof('authorization', `Basic ${login}`);
    }
    if ('oauth2' in auth) return this.#accessProof(auth, full, refused);
    if ('header' in auth) return headerProof(auth.header.name, renderText(auth.header.value, full));
    const secret = renderText(auth.query.value, full);
    return { part: { query: { [auth.query.name]: () => secret } }, secret };
  }

  async #accessProof(
    { oauth2 }: Extract<LoginDescription, { oauth2: unknown }>,
    scope: Scope,
    refused: string | undefined,
  ): Promise<Proof | null> {
    const { auth, target, credentials, tokens, post } = this.#options;
    if (oauth2.grant === 'refresh' && (await credentials.get(oauth2.refreshToken)) === undefined)
      return null;
    const command = loginCommand(auth, target);
    const token = await tokens.get(
      () => requestToken(oauth2, scope, { credentials, post, loginCommand: command }),
      refused,
    );
    const { name, prefix } = oauth2.header ?? { name: 'authorization', prefix: 'Bearer ' };
    return { ...headerProof(name, prefix + token), secret: token };
  }
}

/** Returns the values of a login as a text, with the results of its functions. */
function secretOf(part: RequestPart, scope: Scope): string {
  return JSON.stringify(part, (_, value: unknown) =>
    typeof value === 'function' ? String(value(scope)) : value,
  );
}

/** A function keeps braces in a secret from being a placeholder. */
function headerProof(name: string, value: string): Proof {
  return { part: { headers: { [name]: () => value } }, secret: value };
}
