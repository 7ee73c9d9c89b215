import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';

/** Refuses a request line whose target is no URL, before anything asks for its path. */
export const requireTarget: Middleware = async (ctx, next) => {
  if (!isReadable(() => ctx.path)) {
    throw new TroveError('validation_error', 'path: must be a valid URL');
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
