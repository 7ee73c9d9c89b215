import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from '@trove/core';
import type { McpEndpoint } from '@trove/mcp';
import { includesRights } from '@trove/operations';
import type { Context, Middleware } from 'koa';
import type { Trove } from 'trove';
import { version } from '../version.js';
import { receiveBytes } from './body/bytes.js';
import { callerOf, confirmCaller } from './authenticate.js';
import { callWithDeadline } from './call.js';
import type { CreateEndpoint } from './create-endpoint.js';
import { visibleTo, type RouterOptions } from './router.js';
import { refuseForeignPage } from './guard-site.js';
import { pathOf } from './require-target.js';

const mcpPath = '/mcp';

interface McpServiceOptions {
  readonly engine: Trove;
  readonly logger: Logger;
  /** Whether agents may change something. */
  readonly canWrite: boolean;
  /** Called with the first request. Default: `createMcpEndpoint`. */
  readonly createEndpoint?: CreateEndpoint;
}

const loadEndpoint: CreateEndpoint = async (options) => {
  const { createMcpEndpoint } = await import('@trove/mcp');
  return createMcpEndpoint(options);
};

/** Loads the endpoint for agents with its first request, because most starts need none. */
export class McpService {
  readonly #options: McpServiceOptions;
  #endpoint: Promise<McpEndpoint> | undefined;

  constructor(options: McpServiceOptions) {
    this.#options = options;
  }

  get engine(): Trove {
    return this.#options.engine;
  }

  get canWrite(): boolean {
    return this.#options.canWrite;
  }

  endpoint(): Promise<McpEndpoint> {
    const { logger, createEndpoint = loadEndpoint } = this.#options;
    this.#endpoint ??= Promise.resolve(createEndpoint({ version, logger }));
    return this.#endpoint;
  }

  async close(): Promise<void> {
    await (await this.#endpoint)?.close();
  }
}

/** Serves agents at `/mcp`. Refuses web pages of unlisted origins, even with a token. */
export function serveMcp(
  service: McpService,
  options: Pick<RouterOptions, 'limits' | 'endAsTooSlow'> & {
    readonly corsOrigins: readonly string[];
  },
): Middleware {
  const listed = new Set(options.corsOrigins);
  return async (ctx, next) => {
    if (pathOf(ctx) !== mcpPath) return next();
    refuseForeignPage(ctx, listed);
    const endpoint = await service.endpoint();
    const caller = callerOf(ctx);
    const rights = caller?.access.rights ?? 'read';
    const canWrite = service.canWrite && includesRights(rights, 'sync');
    const { limits } = options;
    const { result, signal } = await callWithDeadline(ctx, limits, async (callSignal, extend) => {
      const incoming = {
        ctx,
        limits,
        signal: callSignal,
        extend,
        confirmCaller: () => confirmCaller(ctx),
        endAsTooSlow: () => options.endAsTooSlow(ctx.req),
      };
      const timeout = { wholeMs: limits.receiveTimeoutMs };
      const pieces = receiveBytes(incoming, limits.bodyBytes, timeout);
      const request = toRequest(ctx, await buffer(pieces), callSignal);
      return endpoint.fetch(request, { engine: visibleTo(caller, service.engine), canWrite });
    });
    respond(ctx, result);
    signal.addEventListener('abort', () => ctx.res.destroy(), { once: true });
    ctx.res.setTimeout(limits.stalledTimeoutMs);
  };
}

function toRequest(ctx: Context, body: Buffer<ArrayBuffer>, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers)) {
    // The token is for this server only.
    if (name !== 'authorization' && value !== undefined) headers.set(name, String(value));
  }
  const { method } = ctx;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(mcpPath, `${ctx.protocol}://${ctx.host}`), {
    method,
    headers,
    signal,
    ...(hasBody ? { body } : {}),
  });
}

function respond(ctx: Context, response: Response): void {
  ctx.status = response.status;
  ctx.set(Object.fromEntries(response.headers));
  const { body } = response;
  ctx.body = body === null ? null : Readable.from(body, { objectMode: false });
}
