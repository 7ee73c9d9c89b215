import type { Logger } from '@trove/core';
import type { Middleware } from 'koa';

/** Asked again and again, by programs. */
const quiet = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs each answered request without its query, since what people search for is private. */
export function accessLog(logger: Logger): Middleware {
  return async (ctx, next) => {
    const start = performance.now();
    ctx.res.once('close', () => {
      const path = (ctx.req.url ?? '').replace(/\?.*$/s, '').slice(0, 200);
      const level = quiet.has(path) ? 'debug' : 'info';
      logger[level]('request', {
        request_id: ctx.state['requestId'],
        method: ctx.method,
        path,
        status: ctx.status,
        ms: Math.round(performance.now() - start),
        ...(ctx.res.writableFinished ? {} : { unfinished: true }),
      });
    });
    await next();
  };
}
