import type { FakeAnswer, FakeRequest } from '@trove/connector-kit/http/fake';
import type { Consent } from './consent.js';

const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/;

/** The page on which a user logs in. The user decides at once, and the browser is redirected. */
export function pageAnswer(consent: Consent, { query }: FakeRequest): FakeAnswer {
  const redirectUri = query.get('redirect_uri') ?? '';
  if (query.get('client_id') !== 'client-1')
    return errorPage('invalid_client', 'The OAuth client was not found.');
  // Google never redirects to an address that the client does not have.
  if (consent.clientType !== 'desktop' || !loopback.test(redirectUri))
    return errorPage(
      'redirect_uri_mismatch',
      "You can't sign in because this app sent an invalid request.",
    );
  if (query.get('response_type') !== 'code' || query.get('code_challenge_method') !== 'S256')
    return errorPage('invalid_request', 'Required parameter is missing.');
  const url = new URL(redirectUri);
  url.searchParams.set('state', query.get('state') ?? '');
  if (consent.decision === 'deny') url.searchParams.set('error', 'access_denied');
  else {
    const scopes = (query.get('scope') ?? '').split(' ');
    const challenge = query.get('code_challenge') ?? '';
    url.searchParams.set('code', consent.issueCode({ redirectUri, challenge, scopes }));
    url.searchParams.set('scope', consent.granted(scopes).join(' '));
  }
  return { status: 302, headers: { location: url.href } };
}

function errorPage(code: string, text: string): FakeAnswer {
  return {
    status: 400,
    headers: { 'content-type': 'text/html' },
    body: `<html><body><h1>Access blocked</h1><p>${text}</p><p>Error 400: ${code}</p></body></html>`,
  };
}

/** Issues a code for a device. The address is named `verification_url`, unlike in RFC 8628. */
export function deviceCodeAnswer(consent: Consent, { body, origin }: FakeRequest): FakeAnswer {
  const form: Readonly<Record<string, unknown>> = { ...Object(body) };
  if (form['client_id'] !== 'client-1')
    return refused(401, 'invalid_client', 'The OAuth client was not found.');
  if (consent.clientType !== 'tv')
    return refused(
      401,
      'invalid_client',
      "Only clients of type 'TVs and Limited Input devices' can use the OAuth 2.0 flow for TV and Limited-Input Device Applications.",
    );
  const scopes = String(form['scope']).split(' ');
  const wrong = scopes.find((scope) => !consent.deviceScopes.has(scope));
  if (wrong !== undefined)
    return refused(400, 'invalid_scope', `Invalid device flow scope: ${wrong}`);
  const [code, { userCode }] = consent.issueDeviceCode(scopes);
  return {
    json: {
      device_code: code,
      user_code: userCode,
      expires_in: consent.codeSeconds,
      interval: consent.intervalSeconds,
      verification_url: `${origin}/device`,
    },
  };
}

/** Returns the granted scopes for a code, or the answer that refuses it. Google uses more statuses than RFC 8628. */
export function deviceGrant(
  consent: Consent,
  form: Readonly<Record<string, unknown>>,
): readonly string[] | FakeAnswer {
  const code = String(form['device_code']);
  const grant = consent.devices.get(code);
  if (grant === undefined) return refused(400, 'invalid_grant', 'Malformed auth code.');
  if (performance.now() > grant.expiresAt)
    return refused(400, 'expired_token', 'The device code has expired.');
  if (consent.slowDowns > 0) {
    consent.slowDowns--;
    return refused(403, 'slow_down', 'Forbidden');
  }
  if (grant.decision === 'pending')
    return refused(428, 'authorization_pending', 'Precondition Required');
  consent.devices.delete(code);
  return grant.decision === 'allow'
    ? consent.granted(grant.scopes)
    : refused(403, 'access_denied', 'Forbidden');
}

/** Returns the granted scopes for the code of a page, or the answer that refuses it. */
export function codeGrant(
  consent: Consent,
  form: Readonly<Record<string, unknown>>,
): readonly string[] | FakeAnswer {
  const [code, redirectUri, verifier] = ['code', 'redirect_uri', 'code_verifier'].map((name) =>
    String(form[name]),
  );
  const granted = consent.useCode(code ?? '', redirectUri ?? '', verifier ?? '');
  if (granted === 'redirect') return refused(400, 'redirect_uri_mismatch', 'Bad Request');
  if (granted === 'verifier') return refused(400, 'invalid_grant', 'Invalid code verifier.');
  return granted === 'code' ? refused(400, 'invalid_grant', 'Malformed auth code.') : granted;
}

export function refused(status: number, error: string, error_description: string): FakeAnswer {
  return { status, json: { error, error_description } };
}
