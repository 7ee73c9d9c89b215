import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';

/** Bounds concurrent requests; further ones are told to come back later. */
export function limitConcurrency(max: number): Middleware {
  let current = 0;
  return async (ctx, next) => {
    if (current >= max) {
      throw new TroveError('overloaded', `The server has ${max} requests in work`, {
        retryable: true,
        retryAfterMs: 1000,
      });
    }
    current++;
    ctx.res.once('close', () => current--);
    await next();
  };
}
