import Koa from 'koa';
import type { Auth } from '../auth/auth.js';
import { Callers } from '../auth/callers.js';
import type { ProxyUsers } from '../auth/proxy-users.js';
import type { HostAddress } from '../config/bind.js';
import { accessLog } from './access-log.js';
import { authenticate } from './authenticate.js';
import { cors } from './cors.js';
import { answerErrors } from './errors.js';
import { guardHost } from './guard-host.js';
import { countRequests } from './count-requests.js';
import { guardSite } from './guard-site.js';
import { serveMcp, type McpService } from './mcp.js';
import { limitConcurrency } from './overload.js';
import { refuseExpectation } from './refuse-expectation.js';
import { requestIds } from './request-id.js';
import { requireTarget } from './require-target.js';
import { RouteTable, type RouterOptions } from './router.js';

export interface AppOptions extends RouterOptions {
  readonly auth: Auth;
  /** Null without a proxy that authenticates. */
  readonly proxyUsers: ProxyUsers | null;
  readonly bind: HostAddress;
  readonly corsOrigins: readonly string[];
  readonly mcp: McpService;
}

/** Creates the Koa application: the middleware of every request, then the routes. */
export function createApp(options: AppOptions): Koa {
  const { engine, auth, proxyUsers, bind, corsOrigins, limits, logger, mcp, metrics } = options;
  const table = new RouteTable(options);
  const app = new Koa();
  app.on('error', (error: unknown) => logger.debug('connection error', { error }));
  const chain = [
    requestIds,
    accessLog(logger, (ctx) => table.routeOf(ctx)),
    countRequests(metrics, (ctx) => table.routeOf(ctx)),
    cors(corsOrigins),
    answerErrors(logger, (ctx) => table.errorShape(ctx)),
    requireTarget,
    refuseExpectation,
    guardHost(auth, bind),
    guardSite(auth, corsOrigins),
    authenticate(new Callers(auth, engine, proxyUsers), table, corsOrigins),
    limitConcurrency(limits.concurrentRequests),
    serveMcp(mcp, options),
  ];
  for (const middleware of chain) app.use(middleware);
  table.serve(app);
  return app;
}
