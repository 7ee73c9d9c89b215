import { claimsOfJwt, type FakeAnswer, type FakeRequest } from '@trove/connector-kit/http/fake';
import { codeGrant, deviceGrant, refused } from './authorization.js';
import { readScope } from './consent.js';
import type { DriveWorld } from './world.js';

const lifetimeSeconds = 3599;

/** Answers a request for an access token: by a refresh token, a code, or a token that a service account signed. */
export function tokenAnswer(world: DriveWorld, { body }: FakeRequest): FakeAnswer {
  const form: Readonly<Record<string, unknown>> = { ...Object(body) };
  switch (form['grant_type']) {
    case 'refresh_token':
      return clientProblem(form) ?? refreshAnswer(world, form);
    case 'authorization_code':
      return clientProblem(form) ?? firstAnswer(world, codeGrant(world.consent, form));
    case 'urn:ietf:params:oauth:grant-type:device_code':
      return clientProblem(form) ?? firstAnswer(world, deviceGrant(world.consent, form));
    case 'urn:ietf:params:oauth:grant-type:jwt-bearer':
      return isSigned(world, String(form['assertion']))
        ? granted(world)
        : invalidGrant('Invalid JWT Signature.');
    default:
      return { status: 400, json: { error: 'unsupported_grant_type' } };
  }
}

function clientProblem(form: Readonly<Record<string, unknown>>): FakeAnswer | undefined {
  const isKnown = form['client_id'] === 'client-1' && form['client_secret'] === 'secret-1';
  return isKnown ? undefined : refused(401, 'invalid_client', 'Unauthorized');
}

function refreshAnswer(world: DriveWorld, form: Readonly<Record<string, unknown>>): FakeAnswer {
  const token = String(form['refresh_token']);
  if (!world.refreshTokens.has(token)) return invalidGrant('Token has been expired or revoked.');
  return granted(world, world.rotates ? { refresh_token: world.rotate(token) } : {});
}

/** The answer to a login of a user, with a new refresh token. */
function firstAnswer(world: DriveWorld, scopes: readonly string[] | FakeAnswer): FakeAnswer {
  if (!isScopes(scopes)) return scopes;
  world.hasScope = scopes.includes(readScope);
  return granted(world, { refresh_token: world.issueRefresh(), scope: scopes.join(' ') });
}

function isScopes(value: readonly string[] | FakeAnswer): value is readonly string[] {
  return Array.isArray(value);
}

function granted(world: DriveWorld, more: Readonly<Record<string, string>> = {}): FakeAnswer {
  return {
    json: {
      access_token: world.issueAccess(),
      expires_in: lifetimeSeconds,
      scope: readScope,
      token_type: 'Bearer',
      ...more,
    },
  };
}

function invalidGrant(description: string): FakeAnswer {
  return refused(400, 'invalid_grant', description);
}

/** Checks the signature and the claims. */
function isSigned({ serviceAccountKey }: DriveWorld, jwt: string): boolean {
  if (serviceAccountKey === null) return false;
  const claims = claimsOfJwt(serviceAccountKey, jwt);
  if (claims === null) return false;
  const isRead = claims['scope'] === readScope;
  return (
    isRead && claims['iss'] === 'robot@example.com' && String(claims['aud']).endsWith('/token')
  );
}
