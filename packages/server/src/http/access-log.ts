import type { Logger } from '@trove/core';
import type { Context, Middleware } from 'koa';
import type { Route } from '../routes/route.js';

/** Logs each answered request without its query, since what people search for is private. */
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
        // Until an answer begins, Koa says 404.
        status: ctx.res.headersSent ? ctx.res.statusCode : null,
        ms: Math.round(performance.now() - start),
        ...(ctx.res.writableFinished ? {} : { unfinished: true }),
      });
    });
    await next();
  };
}
