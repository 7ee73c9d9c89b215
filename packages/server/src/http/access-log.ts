import type { Logger } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Route } from '../routes/route.js';

/** Logs each request without its query, because search queries are private. */
export function accessLog(logger: Logger, routeOf: (ctx: Context) => Route | null): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => {
      const path = (ctx.req.url ?? '').replace(/\?.*$/s, '').slice(0, 200);
      const level = routeOf(ctx)?.isPolled === true ? 'debug' : 'info';
      logger[level]('request', {
        request_id: ctx.state['requestId'],
        method: ctx.method,
        path,
        // Koa reports 404 until a response begins.
        status: ctx.res.headersSent ? ctx.res.statusCode : null,
        ms: Math.round(performance.now() - start),
        ...(ctx.res.writableFinished ? {} : { unfinished: true }),
      });
    });
    await next();
  };
}
