import { createHash } from 'node:crypto';
import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { GraphWorld } from './world.js';

const lifetimeSeconds = 3599;

/** Answers the endpoints below `/{tenant}/oauth2/v2.0`. */
export function loginAnswer(world: GraphWorld, request: FakeRequest): FakeAnswer | undefined {
  const [, tenant = '', endpoint] = /^\/([\w.-]+)\/oauth2\/v2\.0\/(\w+)$/.exec(request.path) ?? [];
  const form: Readonly<Record<string, unknown>> = { ...Object(request.body) };
  switch (endpoint) {
    case 'token':
      return tokenAnswer(world, form, tenant);
    case 'authorize':
      return pageAnswer(world, request);
    case 'devicecode':
      return deviceCodeAnswer(world, form, request.origin);
    default:
      return undefined;
  }
}

function tokenAnswer(
  world: GraphWorld,
  form: Readonly<Record<string, unknown>>,
  tenant: string,
): FakeAnswer {
  if (form['client_id'] !== 'client-1')
    return refused(400, 'unauthorized_client', 'AADSTS700016: Application was not found.');
  switch (form['grant_type']) {
    case 'refresh_token':
      if ('client_secret' in form)
        return refused(401, 'invalid_client', 'AADSTS700025: Client is public.');
      return world.refreshTokens.has(String(form['refresh_token']))
        ? granted(world, { refresh_token: world.issueRefresh() })
        : refused(400, 'invalid_grant', 'AADSTS70008: The refresh token has expired.');
    case 'client_credentials':
      if (tenant === 'common')
        return refused(400, 'invalid_request', 'AADSTS53003: The tenant is missing.');
      return form['client_secret'] === 'secret-1' && String(form['scope']).endsWith('/.default')
        ? granted(world)
        : refused(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.');
    case 'authorization_code':
      return isProved(world, form)
        ? granted(world, { refresh_token: world.issueRefresh() })
        : refused(400, 'invalid_grant', 'AADSTS501481: The code verifier does not match.');
    case 'urn:ietf:params:oauth:grant-type:device_code':
      return deviceAnswer(world, String(form['device_code']));
    default:
      return refused(400, 'unsupported_grant_type', 'AADSTS70003: Unsupported grant.');
  }
}

function deviceAnswer(world: GraphWorld, code: string): FakeAnswer {
  switch (world.deviceCodes.get(code)) {
    case 'allowed':
      return granted(world, { refresh_token: world.issueRefresh() });
    case 'denied':
      return refused(400, 'authorization_declined', 'AADSTS70018: The user declined.');
    default:
      return refused(400, 'authorization_pending', 'AADSTS70016: Authorization is pending.');
  }
}

/** The page on which a user logs in. The user allows the access at once. */
function pageAnswer(world: GraphWorld, { query }: FakeRequest): FakeAnswer {
  const redirect = query.get('redirect_uri') ?? '';
  const isWhole =
    query.get('client_id') === 'client-1' &&
    query.get('code_challenge_method') === 'S256' &&
    query.get('scope')?.includes('offline_access') === true;
  if (!isWhole || !redirect.startsWith('http://127.0.0.1:'))
    return { status: 400, body: 'AADSTS50011: The redirect URI does not match.' };
  const code = `0.page-${world.pageCodes.size + 1}`;
  world.pageCodes.set(code, { challenge: query.get('code_challenge') ?? '', redirect });
  const url = new URL(redirect);
  url.searchParams.set('code', code);
  url.searchParams.set('state', query.get('state') ?? '');
  return { status: 302, headers: { location: url.href } };
}

function isProved(world: GraphWorld, form: Readonly<Record<string, unknown>>): boolean {
  const code = String(form['code']);
  const known = world.pageCodes.get(code);
  world.pageCodes.delete(code);
  const verifier = String(form['code_verifier']);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return known?.challenge === challenge && known.redirect === form['redirect_uri'];
}

function deviceCodeAnswer(
  world: GraphWorld,
  form: Readonly<Record<string, unknown>>,
  origin: string,
): FakeAnswer {
  if (form['client_id'] !== 'client-1' || !String(form['scope']).includes('offline_access'))
    return refused(400, 'invalid_request', 'AADSTS900144: A parameter is missing.');
  const code = `device-${world.deviceCodes.size + 1}`;
  world.deviceCodes.set(code, 'pending');
  return {
    json: {
      device_code: code,
      user_code: 'FRRTVN5HP',
      verification_uri: `${origin}/devicelogin`,
      expires_in: 900,
      interval: 0.02,
      message: 'To sign in, open the page and enter the code.',
    },
  };
}

function granted(world: GraphWorld, more: Readonly<Record<string, string>> = {}): FakeAnswer {
  return {
    json: {
      token_type: 'Bearer',
      expires_in: lifetimeSeconds,
      access_token: world.issueAccess(),
      ...more,
    },
  };
}

function refused(status: number, error: string, error_description: string): FakeAnswer {
  return { status, json: { error, error_description } };
}
