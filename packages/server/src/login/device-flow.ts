import { setTimeout as delay } from 'node:timers/promises';
import { isTroveError, TroveError } from '@trove/core';
import * as oauth from 'oauth4webapi';
import { oauthErrorOf, printable } from './login-error.js';
import type { OAuthService } from './oauth-client.js';

const defaultSeconds = 5;
/** RFC 8628 demands to wait this much longer after each `slow_down`. */
const slowDownSeconds = 5;

/** A code that a person enters in a browser on any machine. */
export interface DeviceCode {
  readonly answer: oauth.DeviceAuthorizationResponse;
  /** In milliseconds of the monotonic clock, because the time of day may change. */
  readonly expiresAt: number;
}

/** Requests a code for a person. */
export async function requestDeviceCode(service: OAuthService): Promise<DeviceCode> {
  const { server, client, authentication, options, login } = service;
  const start = performance.now();
  const response = await oauth.deviceAuthorizationRequest(
    server,
    client,
    authentication,
    { scope: login.scopes.join(' ') },
    options,
  );
  const answer = await oauth.processDeviceAuthorizationResponse(server, client, response);
  return { answer, expiresAt: start + answer.expires_in * 1000 };
}

/** Returns the instructions for a code. */
export function describeDeviceCode({ answer }: DeviceCode): string[] {
  const minutes = Math.max(1, Math.round(answer.expires_in / 60));
  return [
    'Open this address in a browser on any machine:',
    '',
    `  ${printable(answer.verification_uri)}`,
    '',
    `Enter the code ${printable(answer.user_code)} and allow the access.`,
    `The code is valid for ${minutes} min. Waiting. Press Ctrl-C to cancel.`,
  ];
}

/** Waits until the person has allowed the access. Throws `credential_error` if the code expires first. */
export async function awaitDeviceTokens(
  { answer, expiresAt }: DeviceCode,
  service: OAuthService,
): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication, options } = service;
  let seconds = answer.interval ?? defaultSeconds;
  for (;;) {
    await delay(seconds * 1000, undefined, { signal: options.signal });
    if (performance.now() > expiresAt) throw expired();
    try {
      const response = await oauth.deviceCodeGrantRequest(
        server,
        client,
        authentication,
        answer.device_code,
        options,
      );
      return await oauth.processDeviceCodeResponse(server, client, await retryable(response));
    } catch (error) {
      const code = oauthErrorOf(error);
      if (code === 'slow_down') seconds += slowDownSeconds;
      else if (code !== 'authorization_pending' && !isTemporary(error)) throw error;
    }
  }
}

/** Whether the service could not be reached. The next request may succeed. */
function isTemporary(error: unknown): boolean {
  return error instanceof TemporaryError || (isTroveError(error) && error.retryable);
}

/** An answer that says nothing about the login. */
class TemporaryError extends Error {}

async function retryable(response: Response): Promise<Response> {
  if (response.status < 500 && response.status !== 429) return response;
  await response.body?.cancel();
  throw new TemporaryError();
}

function expired(): TroveError {
  return new TroveError('credential_error', 'The code expired before somebody entered it', {
    suggestions: ['Run the command again.'],
  });
}
