import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { TroveError } from '@trove/core';

import type { JwtDescription, Scope } from '../description/index.js';
import { renderOptional, renderText } from '../template.js';

const defaultSeconds = 540;
const maxSeconds = 3600;
/** Clocks differ. Some services refuse tokens of the future. */
const clockSkewSeconds = 30;

/** Signs a JSON Web Token. `scope` has the secrets. */
export function signJwt(jwt: JwtDescription, scope: Scope): string {
  const { algorithm, keyId, claims, seconds = defaultSeconds } = jwt;
  const issuedAt = Math.floor(Date.now() / 1000) - clockSkewSeconds;
  const kid = keyId === undefined ? undefined : renderOptional(keyId, scope);
  const header = { alg: algorithm, typ: 'JWT', ...(kid === undefined ? {} : { kid }) };
  const payload = {
    jti: randomUUID(),
    iat: issuedAt,
    exp: issuedAt + Math.min(seconds, maxSeconds),
    ...Object.fromEntries(
      Object.entries(claims).flatMap(([name, text]) => {
        const value = renderOptional(text, scope);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
  const unsigned = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(payload))}`;
  const key = parseKey(renderText(jwt.key, scope));
  const signature = sign('sha256', Buffer.from(unsigned), { key, dsaEncoding: 'ieee-p1363' });
  return `${unsigned}.${signature.toString('base64url')}`;
}

/** Accepts keys in which the line breaks are written as `\n`, as in environment variables. */
function parseKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch (error) {
    throw new TroveError(
      'credential_error',
      'The private key of the login is not a key in PEM format',
      {
        cause: error,
        suggestions: ['Set it to the text of the key file, from `-----BEGIN` to `-----END`.'],
      },
    );
  }
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
