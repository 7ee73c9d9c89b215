import { createHash, timingSafeEqual } from 'node:crypto';
import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';
import { isPass } from '../auth/pass.js';

/** Refuses requests without the token or a pass, except on open routes (`GET /healthz`). */
export function authenticate(auth: Auth, isOpen: (ctx: Context) => boolean): Middleware {
  if (auth.mode === 'open') return (_ctx, next) => next();
  const expected = digest(auth.token);
  return async (ctx, next) => {
    const bearer = bearerOf(ctx.get('authorization'));
    const isKnown = timingSafeEqual(digest(bearer), expected) || isPass(bearer, auth.token);
    if (!isKnown && !isOpen(ctx)) {
      throw new TroveError('unauthorized', 'The bearer token is missing or wrong');
    }
    await next();
  };
}

/** Tokens are compared by their hashes, which have equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function bearerOf(header: string): string {
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? '';
}
