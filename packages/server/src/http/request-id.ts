import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Assigns an id to each request and returns it in the response. Accepts the caller's own id if it is safe. */
export const requestIds: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  const id = acceptable.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set('X-Request-Id', id);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', 'no-store');
  await next();
};
