import type { Context, Middleware } from 'koa';
import type { Metrics } from '../metrics/metrics.js';
import type { Route } from '../routes/route.js';

/** Counts each request when it is over: with the path and method of its route, since what is asked for is unbounded. */
export function countRequests(
  metrics: Metrics,
  routeOf: (ctx: Context) => Route | null,
): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => {
      const route = routeOf(ctx);
      metrics.countRequest({
        method: route?.method ?? 'other',
        route: route?.path ?? 'other',
        // Of one whose client went away before the answer began, the status is nothing.
        status: ctx.res.headersSent ? String(ctx.res.statusCode) : 'none',
        seconds: (performance.now() - start) / 1000,
      });
    });
    await next();
  };
}
