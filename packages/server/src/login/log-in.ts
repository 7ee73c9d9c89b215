import { TroveError } from '@trove/core';
import type { TokenEndpointResponse } from 'oauth4webapi';
import type { OpenedLogin } from 'trove';
import { logInByBrowser } from './browser-flow.js';
import {
  awaitDeviceTokens,
  describeDeviceCode,
  requestDeviceCode,
  type DeviceCode,
} from './device-flow.js';
import { mayUseOtherFlow, printable, toLoginError } from './login-error.js';
import { oauthService, type OAuthService } from './oauth-client.js';

export type Flow = 'browser' | 'device';

export interface LogInOptions {
  /** Default: the device flow if the service and the client allow it, else the browser. */
  readonly flow: Flow | undefined;
  readonly port: number;
  readonly timeoutMs: number;
  readonly input: NodeJS.ReadableStream | null;
  readonly print: (...lines: readonly string[]) => void;
  readonly signal: AbortSignal;
}

/** Obtains a refresh token from a person. Throws `credential_error`, or the reason of the signal. */
export async function logIn(opened: OpenedLogin, options: LogInOptions): Promise<string> {
  const { signal } = options;
  const service = oauthService(opened, signal);
  try {
    return refreshTokenOf(await requestTokens(service, options), opened.oauth);
  } catch (error) {
    throw signal.aborted ? signal.reason : toLoginError(error, opened.oauth);
  }
}

async function requestTokens(
  service: OAuthService,
  options: LogInOptions,
): Promise<TokenEndpointResponse> {
  const { login } = service;
  const { print } = options;
  assertOffered(login, options.flow);
  const canUseBrowser = login.authorizeUrl !== undefined;
  if (options.flow !== 'browser' && login.deviceUrl !== undefined) {
    const code = await requestCode(service, canUseBrowser && options.flow !== 'device');
    if (code !== null) {
      print(...describeDeviceCode(code));
      return awaitDeviceTokens(code, service);
    }
  }
  return logInByBrowser({ ...options, service });
}

/** Returns null if the client cannot use the device flow, but may use another one. */
async function requestCode(service: OAuthService, hasOther: boolean): Promise<DeviceCode | null> {
  try {
    return await requestDeviceCode(service);
  } catch (error) {
    if (hasOther && mayUseOtherFlow(error)) return null;
    throw error;
  }
}

function assertOffered(login: OpenedLogin['oauth'], flow: Flow | undefined): void {
  const offers = {
    device: login.deviceUrl !== undefined,
    browser: login.authorizeUrl !== undefined,
  };
  if (flow === undefined ? offers.device || offers.browser : offers[flow]) return;
  throw new TroveError('not_supported', `The service offers no login with --flow ${flow ?? ''}`, {
    suggestions: ['Leave --flow out.'],
  });
}

function refreshTokenOf(answer: TokenEndpointResponse, login: OpenedLogin['oauth']): string {
  const granted = answer.scope?.split(/\s+/);
  // Services do not list the scope that asks for a refresh token.
  const missing = login.scopes.filter(
    (scope) => granted?.includes(scope) === false && scope !== 'offline_access',
  );
  if (missing.length > 0) {
    throw new TroveError(
      'credential_error',
      `The login lacks the scope ${printable(missing.join(' '))}. Nothing was stored`,
      { suggestions: ['Run the command again and allow everything that the page lists.'] },
    );
  }
  if (answer.refresh_token !== undefined && answer.refresh_token !== '')
    return answer.refresh_token;
  throw new TroveError('credential_error', 'The service issued no refresh token', {
    suggestions: [
      'Remove the access of this client in the settings of the account, and run the command again.',
      ...(login.help === undefined ? [] : [login.help]),
    ],
  });
}
