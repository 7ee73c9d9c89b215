import * as oauth from 'oauth4webapi';
import type { OpenedLogin } from 'trove';

/** A service with OAuth, as the requests of a login need it. */
export interface OAuthService {
  readonly login: OpenedLogin['oauth'];
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly options: {
    readonly [oauth.customFetch]: (
      url: string,
      init: oauth.CustomFetchOptions<string, URLSearchParams | undefined>,
    ) => Promise<Response>;
    readonly [oauth.allowInsecureRequests]: boolean;
    readonly signal: AbortSignal;
  };
}

/** The configuration chooses the addresses, so one without encryption is allowed. */
export function oauthService(
  { oauth: login, http }: Pick<OpenedLogin, 'oauth' | 'http'>,
  signal: AbortSignal,
): OAuthService {
  const { client, tokenUrl, authorizeUrl, deviceUrl } = login;
  return {
    login,
    server: {
      issuer: new URL(authorizeUrl ?? tokenUrl).origin,
      token_endpoint: tokenUrl,
      ...(authorizeUrl === undefined ? {} : { authorization_endpoint: authorizeUrl }),
      ...(deviceUrl === undefined ? {} : { device_authorization_endpoint: deviceUrl }),
    },
    client: { client_id: client.id },
    authentication: authenticationOf(client),
    options: {
      [oauth.customFetch]: async (url, init) => {
        const response = await http(url, { ...init, body: init.body ?? null });
        return url === deviceUrl ? withVerificationUri(response) : response;
      },
      [oauth.allowInsecureRequests]: true,
      signal,
    },
  };
}

function authenticationOf({ secret, send }: OpenedLogin['oauth']['client']): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  return send === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

/** Google names the address `verification_url`, as a draft of RFC 8628 did. */
async function withVerificationUri(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const text = await response.text();
  const { status, headers } = response;
  const body = Object(parse(text));
  const uri = body['verification_uri'] ?? body['verification_url'];
  return new Response(JSON.stringify({ ...body, verification_uri: uri }), { status, headers });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
