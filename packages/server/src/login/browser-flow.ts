import { TroveError } from '@trove/core';
import * as oauth from 'oauth4webapi';
import type { OAuthService } from './oauth-client.js';
import { listenForRedirect } from './redirect-listener.js';

export interface BrowserFlowOptions {
  readonly service: OAuthService;
  readonly port: number;
  readonly timeoutMs: number;
  readonly input: NodeJS.ReadableStream | null;
  readonly print: (...lines: readonly string[]) => void;
}

/** Logs in with a page of the service that returns to this machine. Throws `credential_error` after the timeout. */
export async function logInByBrowser({
  service,
  port,
  timeoutMs,
  input,
  print,
}: BrowserFlowOptions): Promise<oauth.TokenEndpointResponse> {
  const { server, client, authentication, options, login } = service;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const timeout = timeoutSignal(timeoutMs, login.help);
  const signal = AbortSignal.any([options.signal, timeout.signal]);
  const listener = await listenForRedirect({
    port,
    accepts: ({ searchParams }) =>
      searchParams.get('state') === state &&
      (searchParams.has('code') || searchParams.has('error')),
    input,
    onRefused: () => print('This is not the address of the last page. Paste all of it.'),
    signal,
  });
  try {
    const { redirectUri } = listener;
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    print(...instructions(authorizeUrl(service, redirectUri, state, challenge), timeoutMs, input));
    const url = await listener.received();
    const parameters = oauth.validateAuthResponse(server, client, url, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      redirectUri,
      verifier,
      options,
    );
    return await oauth.processAuthorizationCodeResponse(server, client, response);
  } finally {
    timeout.cancel();
    await listener.close();
  }
}

function authorizeUrl(
  { login, client }: OAuthService,
  redirectUri: string,
  state: string,
  challenge: string,
): string {
  const url = new URL(login.authorizeUrl ?? '');
  const parameters = {
    ...login.params,
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: login.scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function instructions(
  url: string,
  timeoutMs: number,
  input: NodeJS.ReadableStream | null,
): string[] {
  const elsewhere =
    'If the browser runs on another machine, its last page does not load. Copy the address of that page and paste it here.';
  return [
    'Open this address in a browser and allow the access:',
    '',
    `  ${url}`,
    '',
    ...(input === null ? [] : [elsewhere]),
    `Waiting for up to ${Math.ceil(timeoutMs / 60_000)} min. Press Ctrl-C to cancel.`,
  ];
}

function timeoutSignal(
  timeoutMs: number,
  help: string | undefined,
): { readonly signal: AbortSignal; cancel(): void } {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(
      new TroveError('credential_error', 'Nobody logged in within the time limit', {
        suggestions: [
          'Run the command again.',
          ...(help === undefined ? [] : [`If the page showed an error: ${help}`]),
        ],
      }),
    );
  }, timeoutMs);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}
