import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';

/**
 * Without a token, any web page could call the server through its visitor's browser. Browsers mark requests from pages
 * of another site or port; these are refused unless the page's origin is listed. Programs other than browsers send no
 * such mark and pass.
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

/** By `Sec-Fetch-Site`, and by `Origin` for browsers that do not send it. */
function isForeign(ctx: Context): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('origin');
  return origin !== '' && origin !== `http://${ctx.get('host')}`;
}
