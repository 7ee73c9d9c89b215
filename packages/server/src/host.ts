import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { silentLogger, type Logger } from '@trove/core';
import type { Trove } from 'trove';
import type { Auth } from './auth/auth.js';
import { ProxyUsers, type ProxyAccess } from './auth/proxy-users.js';
import { isLoopback, type HostAddress } from './config/bind.js';
import { close, listen } from './address.js';
import { createApp } from './http/app.js';
import type { CreateEndpoint } from './http/create-endpoint.js';
import { McpService } from './http/mcp.js';
import { defaultLimits, type HostLimits } from './http/limits.js';
import { Metrics } from './metrics/metrics.js';
import { answerMalformed } from './http/malformed.js';
import { closeWaitingResponses } from './http/waiting-responses.js';
import type { Route } from './routes/route.js';
import { apiRoutes } from './routes/table.js';
import { unlistedRoutes } from './routes/unlisted.js';

export interface HostOptions {
  /** Owned by the caller. Closing the host does not close it. */
  readonly engine: Trove;
  /** Default: the API and the pages. */
  readonly routes?: readonly Route[];
  readonly bind: HostAddress;
  readonly auth: Auth;
  /** A proxy in front of the server that authenticates users. Default: none. */
  readonly proxyAccess?: ProxyAccess | null;
  readonly corsOrigins?: readonly string[];
  /** Whether agents may start syncs. Default false. */
  readonly mcpWrite?: boolean;
  /** Creates the endpoint for agents with the first request. Default: Trove's own. */
  readonly createMcpEndpoint?: CreateEndpoint;
  readonly limits?: Partial<HostLimits>;
  readonly logger?: Logger;
}

/** A listening server. */
export interface Host {
  /** With the actual port. */
  readonly url: string;
  /**
   * Stops accepting connections. Open ones end after their response, or after a grace period in milliseconds.
   */
  close(graceMs?: number): Promise<void>;
}

/** Serves an engine over HTTP. Throws `storage_unavailable` if the address is not available. */
export async function startHost(options: HostOptions): Promise<Host> {
  const {
    engine,
    bind,
    auth,
    routes = [...apiRoutes({ base: '' }), ...unlistedRoutes({ base: '', auth })],
    proxyAccess = null,
    corsOrigins = [],
    mcpWrite = false,
    createMcpEndpoint: createEndpoint,
    logger = silentLogger,
  } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const proxyUsers = proxyAccess === null ? null : await ProxyUsers.create(proxyAccess, engine);
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    // Each kind of body has its own time limit.
    requestTimeout: 0,
    // requireTarget refuses it with the error envelope instead.
    requireHostHeader: false,
    connectionsCheckingInterval: Math.min(5000, limits.headersTimeoutMs),
  });
  closeWaitingResponses(server);
  const endAsTooSlow = answerMalformed(server, logger);
  const metrics = new Metrics(engine);
  const mcp = new McpService({
    engine,
    logger,
    canWrite: mcpWrite,
    ...(createEndpoint === undefined ? {} : { createEndpoint }),
  });
  const app = createApp({
    engine,
    routes,
    auth,
    proxyUsers,
    bind,
    corsOrigins,
    limits,
    logger,
    mcp,
    metrics,
    endAsTooSlow,
  });
  const callback = app.callback();
  const handle = (request: IncomingMessage, response: ServerResponse): void =>
    void callback(request, response);
  server.on('request', handle);
  server.maxConnections = limits.connections;
  // `100 Continue` is sent when the body is read, so a refused body is never sent.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  await listen(server, bind);
  // For example, no file descriptor is left for a new connection. Existing connections continue.
  server.on('error', (error) => logger.error('connection refused', { error }));
  warnWhenOpen(auth, bind, logger);
  return {
    url: urlOf(server, bind),
    close: async (graceMs = 5000) => {
      await mcp.close();
      await close(server, graceMs);
      metrics.close();
    },
  };
}

function urlOf(server: Server, { host }: HostAddress): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function warnWhenOpen(auth: Auth, { host }: HostAddress, logger: Logger): void {
  if (auth.mode !== 'open' || isLoopback(host)) return;
  logger.warn(
    'OPEN TO THE NETWORK: no token is required, so everyone who reaches this address can read all sources. ' +
      'Set auth_token, or bind to 127.0.0.1.',
    { host },
  );
}
