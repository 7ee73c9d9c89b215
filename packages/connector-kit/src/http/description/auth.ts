import type { RequestPart, Scope, Text } from './value.js';

/**
 * How requests log in. `bearer`, `basic`, `header` and `query` read their secrets for each request, so a replaced file of a
 * secret takes effect at once. After a 401, the kit reads or refreshes the login once and repeats the request.
 */
export type LoginDescription<C = unknown> =
  /** Sends `Authorization: Bearer` with the secret of this setting: `{ bearer: 'token' }`. */
  | { readonly bearer: string }
  /** Sends a user and a password: `{ basic: { user: '{config.email}', password: '{secret.api_token}' } }`. */
  | { readonly basic: { readonly user: Text<C>; readonly password: Text<C> } }
  /** Sends a header: `{ header: { name: 'PRIVATE-TOKEN', value: '{secret.token}' } }`. */
  | { readonly header: { readonly name: string; readonly value: Text<C> } }
  /** Sends a parameter of the URL. Prefer a header, because servers log URLs. */
  | { readonly query: { readonly name: string; readonly value: Text<C> } }
  | { readonly oauth2: OAuth2<C> }
  /** No login. As the last one of a list, it allows sources without secrets: `[{ bearer: 'token' }, 'none']`. */
  | 'none'
  | AuthFunction<C>;

/** Returns the parts to add to a request. `secret` reads a secret setting. */
type AuthFunction<C> = {
  auth(
    scope: Scope<C>,
    secret: (name: string) => Promise<string | undefined>,
  ): Promise<RequestPart<C>>;
}['auth'];

/** Access tokens of a token endpoint. All sources with the same login share them in memory until they expire. */
export type OAuth2<C = unknown> = OAuth2Answer &
  (
    | {
        /** Exchanges a refresh token. If the answer has a new one, it replaces the old one for all sources of the login. */
        readonly grant: 'refresh';
        /** The setting with the refresh token. */
        readonly refreshToken: string;
        readonly tokenUrl: Text<C>;
        readonly client: OAuth2Client<C>;
        /** Lets people obtain the refresh token with `trove-server connector login`. */
        readonly login?: OAuth2Login<C>;
      }
    | {
        readonly grant: 'client';
        readonly tokenUrl: Text<C>;
        readonly client: OAuth2Client<C>;
        readonly params?: Readonly<Record<string, Text<C>>>;
      }
    | {
        /** Signs a JSON Web Token with a private key. */
        readonly grant: 'jwt';
        readonly jwt: JwtDescription<C>;
        /**
         * `assertion` sends it to `tokenUrl` as a form (RFC 7523). `bearer` sends a POST to `tokenUrl` that it authorizes.
         * `direct` uses it as the access token itself.
         */
        readonly send: 'assertion' | 'bearer' | 'direct';
        readonly tokenUrl?: Text<C>;
      }
    | {
        /** Any request that returns a token. */
        readonly grant: 'request';
        readonly tokenUrl: Text<C>;
        readonly body?: unknown;
        readonly form?: Readonly<Record<string, Text<C>>>;
      }
  );

/** Where the answer of a token endpoint has its values. */
interface OAuth2Answer {
  /** The path of the access token. Default `access_token`. */
  readonly token?: string;
  /** The path of the lifetime in seconds or of the time of expiry. Default `expires_in`, without which a token lives 5 minutes. */
  readonly expires?: string;
  /** The header with the token. Default `Authorization`, with `Bearer`. */
  readonly header?: { readonly name: string; readonly prefix: string };
}

/** A login on a terminal. It needs one of the two URLs. With both, the device flow is tried first. */
export interface OAuth2Login<C = unknown> {
  /** A page that returns to `http://127.0.0.1:PORT`, with PKCE. */
  readonly authorizeUrl?: Text<C>;
  /** Issues codes that people enter in any browser (RFC 8628). Without a value, there is no device flow. */
  readonly deviceUrl?: Text<C>;
  readonly scopes: readonly string[];
  /** Further parameters of `authorizeUrl`. Those without a value are left out. */
  readonly params?: Readonly<Record<string, Text<C>>>;
  /** A sentence on the client that the service requires. It explains a refused client. */
  readonly help?: string;
}

export interface OAuth2Client<C = unknown> {
  readonly id: Text<C>;
  readonly secret?: Text<C>;
  /** Whether id and secret are form fields or the login of the request. Default `form`. */
  readonly send?: 'form' | 'basic';
  readonly scopes?: readonly string[];
}

export interface JwtDescription<C = unknown> {
  readonly algorithm: 'RS256' | 'ES256';
  /** The private key in PEM: `{secret.private_key}`, or `{secret.service_account.private_key}` from a secret that is JSON. */
  readonly key: Text<C>;
  readonly keyId?: Text<C>;
  /** The claims besides `iat` and `exp`: `{ iss: '{config.app_id}' }`. Claims without a value are left out. */
  readonly claims: Readonly<Record<string, Text<C>>>;
  /** The lifetime in seconds, at most 3600. Default 540. */
  readonly seconds?: number;
}
