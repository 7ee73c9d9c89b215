// Generated from the OpenAPI document by "npm run generate". Do not edit.

import type { CallOptions } from '../runtime/configuration.js';
import type { HttpClient } from '../runtime/http.js';
import { pathSegment } from '../runtime/request.js';
import type {
  CreateTokenRequest,
  CreatedToken,
  RevokedToken,
  RotateTokenRequest,
  TokensResponse,
} from './models.js';

/** The parameters of `createToken`. */
export interface CreateTokenParameters {
  readonly body: CreateTokenRequest;
}

/** The parameters of `rotateToken`. */
export interface RotateTokenParameters {
  /** Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`. */
  readonly name: string;
  readonly body: RotateTokenRequest;
}

/** The parameters of `revokeToken`. */
export interface RevokeTokenParameters {
  /** Name of the token: 1 to 64 letters, digits, `.`, `_`, `@` and `-`. */
  readonly name: string;
}

/** The operations of the API that are tagged Access. */
export class AccessApi {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List tokens, without their secrets
   *
   * `GET /v1/tokens`
   */
  listTokens(options?: CallOptions): Promise<TokensResponse> {
    return this.#http.json<TokensResponse>({ method: 'GET', path: '/v1/tokens' }, options);
  }

  /**
   * Create a token
   *
   * Only this response contains the token, because the server stores only its hash.
   *
   * `POST /v1/tokens`
   */
  createToken(parameters: CreateTokenParameters, options?: CallOptions): Promise<CreatedToken> {
    return this.#http.json<CreatedToken>(
      { method: 'POST', path: '/v1/tokens', json: parameters.body },
      options,
    );
  }

  /**
   * Replace a token by one with the same rights
   *
   * The replaced token stays valid for the overlap. The new one has the same lifetime, counted from
   * now.
   *
   * `POST /v1/tokens/{name}/rotate`
   */
  rotateToken(parameters: RotateTokenParameters, options?: CallOptions): Promise<CreatedToken> {
    return this.#http.json<CreatedToken>(
      {
        method: 'POST',
        path: `/v1/tokens/${pathSegment('name', parameters.name)}/rotate`,
        json: parameters.body,
      },
      options,
    );
  }

  /**
   * Revoke a token and the tokens that it replaced
   *
   * Other servers of the same database accept the token for up to two seconds.
   *
   * `DELETE /v1/tokens/{name}`
   */
  revokeToken(parameters: RevokeTokenParameters, options?: CallOptions): Promise<RevokedToken> {
    return this.#http.json<RevokedToken>(
      { method: 'DELETE', path: `/v1/tokens/${pathSegment('name', parameters.name)}` },
      options,
    );
  }
}
