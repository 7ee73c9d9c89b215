import { isTroveError, messageOf, TroveError } from '@trove/core';
import * as oauth from 'oauth4webapi';
import type { OpenedLogin } from 'trove';

/** Errors of a client that may use another flow. */
const otherFlowErrors: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_grant_type',
]);

const again = 'Run the command again.';

/** Returns the code of an OAuth error, or undefined for other errors. */
export function oauthErrorOf(error: unknown): string | undefined {
  const isOAuth =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
  if (isOAuth) return error.error;
  return error instanceof oauth.WWWAuthenticateChallengeError ? 'invalid_client' : undefined;
}

/** Whether the service refuses this flow for this client, so another flow may work. */
export function mayUseOtherFlow(error: unknown): boolean {
  return otherFlowErrors.has(oauthErrorOf(error) ?? '');
}

/** Converts a failure of a login to a sentence and the next step. */
export function toLoginError(error: unknown, login: OpenedLogin['oauth']): TroveError {
  if (isTroveError(error)) return error;
  const { host } = new URL(login.tokenUrl);
  const code = oauthErrorOf(error);
  if (code === undefined) {
    const detail = `The login at ${host} failed: ${printable(messageOf(error))}`;
    return new TroveError('credential_error', detail, { suggestions: [again] });
  }
  const told = descriptionOf(error);
  const detail = `${host} refused the login: ${printable(told === '' ? code : `${told} (${code})`)}`;
  return new TroveError('credential_error', detail, { suggestions: adviceOn(code, login) });
}

function adviceOn(code: string, login: OpenedLogin['oauth']): string[] {
  const client = [
    'Check the client id and its secret.',
    ...(login.help === undefined ? [] : [login.help]),
  ];
  switch (code) {
    case 'access_denied':
      return ['The login was refused in the browser. Run the command again and allow the access.'];
    case 'expired_token':
      return [`The code expired before somebody entered it. ${again}`];
    case 'invalid_grant':
      return [`The code was used already, or has expired. ${again}`];
    case 'invalid_scope':
      return [`The service does not allow ${login.scopes.join(' ')} in this flow.`, ...client];
    case 'invalid_client':
    case 'unauthorized_client':
    case 'unsupported_grant_type':
    case 'redirect_uri_mismatch':
      return client;
    case 'admin_policy_enforced':
    case 'org_internal':
      return ['An administrator of the organization must allow this client.'];
    default:
      return [again];
  }
}

function descriptionOf(error: unknown): string {
  const described =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
  return described ? (error.error_description ?? '') : '';
}

/** Removes control characters, which a terminal would obey. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ').slice(0, 500);
}
