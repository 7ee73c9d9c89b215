import type { Context, Middleware } from 'koa';
import type { Metrics } from '../metrics/metrics.js';
import type { Route } from '../routes/route.js';

/** Counts each finished request by the method and path of its route. Request paths would be unbounded. */
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
        // No status was sent if the client disconnected before the response.
        status: ctx.res.headersSent ? String(ctx.res.statusCode) : 'none',
        seconds: (performance.now() - start) / 1000,
      });
    });
    await next();
  };
}
