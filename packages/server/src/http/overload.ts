import { TroveError } from '@trove/core';
import type { Middleware } from 'koa';

/** Limits concurrent requests. Further requests are told to retry later. */
export function limitConcurrency(max: number): Middleware {
  let current = 0;
  return async (ctx, next) => {
    if (current >= max) {
      throw new TroveError('overloaded', `The server is already handling ${max} requests`, {
        retryable: true,
        retryAfterMs: 1000,
      });
    }
    current++;
    ctx.res.once('close', () => current--);
    await next();
  };
}
