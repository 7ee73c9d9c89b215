import { createPublicKey, verify } from 'node:crypto';
import type { FakeAnswer, FakeRequest } from '@trove/test-support/fake-service/fake-service.js';
import type { DriveWorld } from './world.js';

const lifetimeSeconds = 3599;

/** Answers a request for an access token: by a refresh token or by a token that a service account signed. */
export function tokenAnswer(world: DriveWorld, { body }: FakeRequest): FakeAnswer {
  const form: Readonly<Record<string, unknown>> = { ...Object(body) };
  if (form['grant_type'] === 'refresh_token') return refreshAnswer(world, form);
  if (form['grant_type'] === 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    return isSigned(world, String(form['assertion']))
      ? granted(world)
      : refused('Invalid JWT Signature.');
  return { status: 400, json: { error: 'unsupported_grant_type' } };
}

function refreshAnswer(world: DriveWorld, form: Readonly<Record<string, unknown>>): FakeAnswer {
  const token = String(form['refresh_token']);
  if (form['client_id'] !== 'client-1' || form['client_secret'] !== 'secret-1')
    return { status: 401, json: { error: 'invalid_client', error_description: 'Unauthorized' } };
  if (!world.refreshTokens.has(token)) return refused('Token has been expired or revoked.');
  return granted(world, world.rotates ? { refresh_token: world.rotate(token) } : {});
}

function granted(world: DriveWorld, more: Readonly<Record<string, string>> = {}): FakeAnswer {
  return {
    json: {
      access_token: world.issueAccess(),
      expires_in: lifetimeSeconds,
      scope: 'https://www.googleapis.com/auth/drive.readonly',
      token_type: 'Bearer',
      ...more,
    },
  };
}

function refused(error_description: string): FakeAnswer {
  return { status: 400, json: { error: 'invalid_grant', error_description } };
}

/** Checks the signature and the claims. */
function isSigned({ serviceAccountKey }: DriveWorld, jwt: string): boolean {
  const [header = '', payload = '', signature = ''] = jwt.split('.');
  if (serviceAccountKey === null) return false;
  const key = createPublicKey(serviceAccountKey);
  const signed = Buffer.from(`${header}.${payload}`);
  if (!verify('sha256', signed, key, Buffer.from(signature, 'base64url'))) return false;
  const claims: Readonly<Record<string, unknown>> = JSON.parse(
    Buffer.from(payload, 'base64url').toString(),
  );
  const isRead = claims['scope'] === 'https://www.googleapis.com/auth/drive.readonly';
  return (
    isRead && claims['iss'] === 'robot@example.com' && String(claims['aud']).endsWith('/token')
  );
}
