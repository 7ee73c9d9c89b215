import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';

/**
 * Where no token is asked for, any web page could call the server through the browser of whoever looks at it. Browsers
 * say that a page of another site, or of another port, is behind a request; such requests are refused unless the
 * page's origin is listed. Programs that are no browser say nothing and pass.
 */
export function guardSite(auth: Auth, corsOrigins: readonly string[]): Middleware {
  if (auth.mode !== 'open') return (_ctx, next) => next();
  const listed = new Set(corsOrigins);
  return async (ctx, next) => {
    if (isForeign(ctx) && !listed.has(ctx.get('origin'))) {
      throw new TroveError(
        'origin_not_allowed',
        'The request comes from a web page of another site',
      );
    }
    await next();
  };
}

/** By `Sec-Fetch-Site`, and for browsers that do not send it by `Origin`. */
function isForeign(ctx: Context): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('origin');
  return origin !== '' && origin !== `http://${ctx.get('host')}`;
}
