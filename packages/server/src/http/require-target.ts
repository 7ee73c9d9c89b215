import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';

/** Refuses a request without a `Host`, or whose target is not a URL. */
export const requireTarget: Middleware = async (ctx, next) => {
  if (pathOf(ctx) === null) {
    throw new TroveError('validation_error', 'path: must be a valid URL');
  }
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new TroveError('validation_error', 'header.host: is required');
  }
  await next();
};

/** Returns null for a target that is not a URL. */
export function pathOf(ctx: Context): string | null {
  try {
    return ctx.path;
  } catch {
    return null;
  }
}
