import { createPublicKey, verify } from 'node:crypto';

import { isRecord } from '../json.js';

/** Returns the claims of a JSON Web Token (RS256) that the key has signed, or null for another token. */
export function claimsOfJwt(
  publicKeyPem: string,
  jwt: string,
): Readonly<Record<string, unknown>> | null {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  const key = createPublicKey(publicKeyPem);
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return null;
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return isRecord(claims) ? claims : null;
}
