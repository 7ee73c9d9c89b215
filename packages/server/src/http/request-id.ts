import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Gives each request an id, the caller's own if it is harmless, and returns it in the response. */
export const requestIds: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  const id = acceptable.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set('X-Request-Id', id);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  await next();
};
