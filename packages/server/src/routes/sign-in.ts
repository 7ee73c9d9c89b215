import { TroveError } from '@trove/core';
import { contentResponse, operation, withoutCommand } from '@trove/operations';
import type { Auth } from '../auth/auth.js';
import { SignInCodes } from '../auth/sign-in-codes.js';
import { route, type Route } from './route.js';

const signIn = operation({
  rights: 'read',
  method: 'POST',
  path: '/console/sign-in',
  tag: 'Server',
  summary: 'Exchange the code of a sign-in link for the token of the server',
  response: contentResponse('The token.', 'text/plain; charset=utf-8', {
    'Cache-Control': 'no-store',
  }),
  errors: [],
  isPublic: true,
  withoutEngine: true,
  exposure: withoutCommand('The console uses it.'),
});

/** Returns the route that signs in to the console with a link of `trove console`. None without a token. */
export function signInRoutes(auth: Auth): readonly Route[] {
  if (auth.mode === 'open') return [];
  const { token } = auth;
  const codes = new SignInCodes(token);
  const exchange = route(signIn.path, signIn, (_engine, _input, { header }) => {
    const [, code = ''] = /^bearer +(\S+) *$/i.exec(header('authorization')) ?? [];
    if (codes.redeem(code)) return token;
    throw new TroveError('unauthorized', 'The sign-in link has expired or was used before', {
      suggestions: ['Run `trove console` for another one.'],
    });
  });
  return [exchange];
}
