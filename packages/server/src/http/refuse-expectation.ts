import { TroveError } from '@trove/core';
import type { Context, Middleware } from 'koa';

/** Refuses what a client expects of the server and does not get; that it may send its body is told when it is read. */
export const refuseExpectation: Middleware = async (ctx, next) => {
  if (ctx.get('expect') !== '' && !expectsContinue(ctx)) {
    throw new TroveError('expectation_failed', 'header.expect: must be 100-continue');
  }
  await next();
};

/** The client waits with its body until it is told to go on. */
export function expectsContinue(ctx: Context): boolean {
  return ctx.get('expect').toLowerCase() === '100-continue';
}
