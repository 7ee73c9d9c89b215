import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';

/** Refuses unsupported expectations. `100-continue` is answered when the body is read. */
export const refuseExpectation: Middleware = async (ctx, next) => {
  if (ctx.get('expect') !== '' && !expectsContinue(ctx)) {
    throw new TroveError('expectation_failed', 'header.expect: must be 100-continue');
  }
  await next();
};

/** Whether the client waits for `100 Continue` before sending its body. */
export function expectsContinue(ctx: Pick<Context, 'get'>): boolean {
  return ctx.get('expect').toLowerCase() === '100-continue';
}
