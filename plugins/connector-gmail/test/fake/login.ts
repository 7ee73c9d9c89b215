import { createPublicKey, verify } from 'node:crypto';
import type { FakeAnswer } from '@trove/connector-kit/http/fake';
import type { GmailWorld } from './world.js';

const readScope = 'https://www.googleapis.com/auth/gmail.readonly';

/** Answers a request for an access token: by a refresh token, or by a token that a service account signed. */
export function tokenAnswer(world: GmailWorld, body: unknown): FakeAnswer {
  const form: Readonly<Record<string, unknown>> = { ...Object(body) };
  if (form['grant_type'] === 'refresh_token') {
    if (form['client_id'] !== 'client-1' || form['client_secret'] !== 'secret-1')
      return refused(401, 'invalid_client', 'Unauthorized');
    return world.refreshTokens.has(String(form['refresh_token']))
      ? granted(world)
      : refused(400, 'invalid_grant', 'Token has been expired or revoked.');
  }
  return isSigned(world, String(form['assertion']))
    ? granted(world)
    : refused(400, 'invalid_grant', 'Invalid JWT Signature.');
}

function granted(world: GmailWorld): FakeAnswer {
  const access_token = world.issueAccess();
  return { json: { access_token, expires_in: 3599, scope: readScope, token_type: 'Bearer' } };
}

function refused(status: number, error: string, error_description: string): FakeAnswer {
  return { status, json: { error, error_description } };
}

/** Checks the signature and the claims. */
function isSigned({ serviceAccountKey }: GmailWorld, jwt: string): boolean {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  if (serviceAccountKey === null) return false;
  const signed = Buffer.from(`${header}.${payload}`);
  const key = createPublicKey(serviceAccountKey);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return false;
  const claims: Readonly<Record<string, unknown>> = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  );
  return claims['scope'] === readScope && claims['sub'] === 'ann@example.com';
}
