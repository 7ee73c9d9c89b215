import type { Logger } from '@trove/core';
import Koa from 'koa';
import type { Engine } from 'trove';
import type { Auth } from '../auth/auth.js';
import type { Bind } from '../config/bind.js';
import type { Route } from '../routes/route.js';
import { accessLog } from './access-log.js';
import { authenticate } from './authenticate.js';
import { cors } from './cors.js';
import { errorEnvelopes } from './errors.js';
import { guardHost } from './guard-host.js';
import { guardSite } from './guard-site.js';
import type { Limits } from './limits.js';
import { boundConcurrency } from './overload.js';
import { refuseExpectation } from './refuse-expectation.js';
import { requestIds } from './request-id.js';
import { requireTarget } from './require-target.js';
import { serveRoutes } from './router.js';

export interface AppOptions {
  readonly engine: Engine;
  readonly routes: readonly Route[];
  readonly auth: Auth;
  readonly bind: Bind;
  readonly corsOrigins: readonly string[];
  readonly limits: Limits;
  readonly logger: Logger;
}

/** The Koa application: what every request passes through, then the routes. */
export function createApp(options: AppOptions): Koa {
  const { engine, routes, auth, bind, corsOrigins, limits, logger } = options;
  const openPaths = new Set(routes.filter(({ open }) => open === true).map(({ path }) => path));
  const isOpen = (method: string, path: string): boolean =>
    (method === 'GET' || method === 'HEAD') && openPaths.has(path);
  const app = new Koa();
  app.on('error', (error: unknown) => logger.debug('connection error', { error }));
  const chain = [
    requestIds,
    accessLog(logger),
    cors(corsOrigins),
    errorEnvelopes(logger),
    requireTarget,
    refuseExpectation,
    guardHost(auth, bind),
    guardSite(auth, corsOrigins),
    authenticate(auth, isOpen),
    boundConcurrency(limits.concurrentRequests),
  ];
  for (const middleware of chain) app.use(middleware);
  serveRoutes(app, { engine, routes, limits, logger });
  return app;
}
