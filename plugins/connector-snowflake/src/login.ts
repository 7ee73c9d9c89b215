import { createHash, createPublicKey } from 'node:crypto';

import { signJwt, type LoginDescription, type RequestPart } from '@trove/connector-kit/http';
import { TroveError } from '@trove/core';

import type { SnowflakeConfig } from './config.js';
import type { SnowflakeLocation } from './location.js';

const lifetimeSeconds = 3540;
const tokenTypeHeader = 'x-snowflake-authorization-token-type';

/** Logs in with the key pair of a user, or else with a programmatic access token. */
export function loginTo(
  { account, user: userInTarget }: SnowflakeLocation,
  { user = userInTarget ?? undefined }: SnowflakeConfig,
): LoginDescription {
  return async (scope, secret) => {
    const key = await secret('private_key');
    if (key !== undefined && user !== undefined) {
      const name = `${accountName(account)}.${user.toUpperCase()}`;
      const claims = { iss: () => `${name}.${fingerprintOf(key)}`, sub: () => name };
      const jwt = signJwt(
        { algorithm: 'RS256', key: () => key, claims, seconds: lifetimeSeconds },
        scope,
      );
      return withToken(jwt, 'KEYPAIR_JWT');
    }
    const token = await secret('token');
    if (token !== undefined) return withToken(token, 'PROGRAMMATIC_ACCESS_TOKEN');
    throw new TroveError(
      'config_invalid',
      'config: set `private_key` and a user, or `token`, to log in',
    );
  };
}

/** Functions keep braces in a secret from being placeholders. */
function withToken(token: string, type: string): RequestPart {
  return { headers: { authorization: () => `Bearer ${token}`, [tokenTypeHeader]: type } };
}

/** A name of the old form ends with a region, which tokens leave out. */
function accountName(account: string): string {
  const [name = ''] = account.split('.');
  return name.toUpperCase();
}

/** The digest by which Snowflake knows a public key. */
function fingerprintOf(privateKeyPem: string): string {
  try {
    const key = createPublicKey(privateKeyPem.replaceAll('\\n', '\n'));
    const der = key.export({ type: 'spki', format: 'der' });
    return `SHA256:${createHash('sha256').update(der).digest('base64')}`;
  } catch (error) {
    throw new TroveError('credential_error', '`private_key` is not a private key in PEM format', {
      cause: error,
      suggestions: [
        'Set it to the text of the key file, from `-----BEGIN` to `-----END`. Decrypt it first if it is encrypted.',
      ],
    });
  }
}
