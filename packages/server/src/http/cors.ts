import type { Middleware } from 'koa';

/** The methods of all routes. */
export const allowedMethods = 'GET, HEAD, POST, PUT, DELETE';
const requestHeaders = 'Authorization, Content-Type, X-Request-Id';
const responseHeaders = 'X-Request-Id, X-Error-Code, Retry-After';

/** Allows calls from web pages of the listed origins. Sends no CORS headers to others. */
export function cors(origins: readonly string[]): Middleware {
  const listed = new Set(origins);
  if (listed.size === 0) return (_ctx, next) => next();
  return async (ctx, next) => {
    ctx.vary('Origin');
    const origin = ctx.get('origin');
    if (!listed.has(origin)) return next();
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', responseHeaders);
    const preflight = ctx.method === 'OPTIONS' && ctx.get('access-control-request-method') !== '';
    if (!preflight) return next();
    ctx.set('Access-Control-Allow-Methods', allowedMethods);
    ctx.set('Access-Control-Allow-Headers', requestHeaders);
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
  };
}
