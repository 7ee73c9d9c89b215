import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Auth } from '../auth/auth.js';

/**
 * Refuses requests from web pages of unlisted origins if no token is required. Browsers mark such requests.
 * Other programs send no mark and pass.
 */
export function guardSite(auth: Auth, corsOrigins: readonly string[]): Middleware {
  if (auth.mode !== 'open') return (_ctx, next) => next();
  const listed = new Set(corsOrigins);
  return async (ctx, next) => {
    refuseForeignPage(ctx, listed);
    await next();
  };
}

/** Throws `origin_not_allowed` for a request from a web page whose origin is not listed. */
export function refuseForeignPage(ctx: Context, listed: ReadonlySet<string>): void {
  if (!isForeign(ctx) || listed.has(ctx.get('origin'))) return;
  throw new TroveError('origin_not_allowed', 'The request comes from a web page of another site');
}

/** Checks `Sec-Fetch-Site`, and `Origin` for browsers that do not send it. */
function isForeign(ctx: Context): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('origin');
  return origin !== '' && origin !== `http://${ctx.get('host')}`;
}
