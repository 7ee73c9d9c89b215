import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';

/** Refuses a request without a clear destination: no `Host`, or a target that is not a URL. */
export const requireTarget: Middleware = async (ctx, next) => {
  if (!isReadable(() => ctx.path)) {
    throw new TroveError('validation_error', 'path: must be a valid URL');
  }
  if (ctx.req.httpVersion === '1.1' && ctx.req.headers.host === undefined) {
    throw new TroveError('validation_error', 'header.host: is required');
  }
  await next();
};

function isReadable(read: () => unknown): boolean {
  try {
    return typeof read() === 'string';
  } catch {
    return false;
  }
}
