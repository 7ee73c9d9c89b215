import { createHash, timingSafeEqual } from 'node:crypto';
import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';
import { isValidPass } from '../auth/pass.js';

/** Access rules of the route of a request. */
export interface RouteAccess {
  /** Whether the route needs no token. */
  isOpen(ctx: Context): boolean;
  /** Whether the route only reads, so a pass is sufficient. */
  isReadOnly(ctx: Context): boolean;
}

/**
 * Refuses requests without the token. Open routes (`GET /healthz`) need none, and read-only routes accept a
 * pass, which sets `mayOnlyRead` in the state of the request.
 */
export function authenticate(auth: Auth, route: RouteAccess): Middleware {
  if (auth.mode === 'open') return (_ctx, next) => next();
  const expected = digest(auth.token);
  return async (ctx, next) => {
    const bearer = bearerOf(ctx.get('authorization'));
    if (!route.isOpen(ctx) && !timingSafeEqual(digest(bearer), expected)) {
      if (!isValidPass(bearer, auth.token))
        throw new TroveError('unauthorized', 'The bearer token is missing or wrong');
      if (!route.isReadOnly(ctx)) throw new TroveError('forbidden', 'A pass only permits reading');
      ctx.state['mayOnlyRead'] = true;
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
