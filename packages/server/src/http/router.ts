import { Readable } from 'node:stream';
import Router from '@koa/router';
import { TroveError, type Logger } from '@trove/core';
import { errorEnvelope, eventsType, type ErrorFormat } from '@trove/operations';
import type Koa from 'koa';
import type { Context } from 'koa';
import type { Caller, Trove, TroveOperations } from 'trove';
import type { Route } from '../routes/route.js';
import { callerOf, confirmCaller, type AccessRequirements } from './authenticate.js';
import { callWithDeadline } from './call.js';
import { shownError } from './errors.js';
import { streamEvents } from './events.js';
import type { Metrics } from '../metrics/metrics.js';
import type { HostLimits } from './limits.js';
import { originOf } from './origin.js';
import { parseQuery } from './query.js';
import { pathOf } from './require-target.js';
import { UnsentResponses } from './unsent-responses.js';

/** Time for the last event of a stream after its deadline. */
const lastEventMs = 1000;
/** Number of comments in a stream of events before the connection would count as stalled. */
const heartbeatsPerTimeout = 3;

export interface RouterOptions {
  readonly engine: Trove;
  readonly routes: readonly Route[];
  readonly limits: HostLimits;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Responds with 408 and closes the connection. */
  readonly endAsTooSlow: (request: Context['req']) => void;
}

/** The result of matching a request. */
interface RouteMatch {
  readonly route: Route | undefined;
  /** A route with the same path and any method. */
  readonly neighbour: Route | undefined;
  readonly methods: readonly string[];
}

/** Finds the route of a request and serves it. */
export class RouteTable {
  readonly #router = new Router({ strict: true, sensitive: true });
  readonly #routes: ReadonlyMap<string, Route>;
  /** Caches matches, because several middlewares need the route. */
  readonly #matches = new WeakMap<Context, RouteMatch>();
  readonly #responses: UnsentResponses;
  readonly #options: RouterOptions;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#responses = new UnsentResponses(options.limits.unsentBytes);
    this.#routes = new Map(options.routes.map((route) => [route.name, route]));
    for (const route of options.routes) {
      const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
      const { name } = route;
      this.#router.register(path, [route.method], (ctx) => this.#serve(ctx, route), { name });
    }
  }

  /** Adds the routes to the application, and refuses all other requests. */
  serve(app: Koa): void {
    app.use(this.#router.routes());
    app.use((ctx) => this.#refuse(ctx));
  }

  /** Returns the route of the request, or null. */
  routeOf(ctx: Context): Route | null {
    return this.#match(ctx).route ?? null;
  }

  isOpen(ctx: Context): boolean {
    return this.routeOf(ctx)?.isPublic === true;
  }

  /** Requests without a route are refused later. */
  requirementsOf(ctx: Context): AccessRequirements {
    return this.routeOf(ctx) ?? { rights: 'read' };
  }

  /** Returns the error shape of the route, or of a route with the same path and another method. */
  errorShape(ctx: Context): ErrorFormat {
    const { route, neighbour } = this.#match(ctx);
    return (route ?? neighbour)?.errorFormat ?? errorEnvelope;
  }

  #match(ctx: Context): RouteMatch {
    const known = this.#matches.get(ctx);
    if (known !== undefined) return known;
    const { path, pathAndMethod } = this.#router.match(pathOf(ctx) ?? '', ctx.method);
    const found = {
      route: this.#routes.get(pathAndMethod[0]?.name ?? ''),
      neighbour: this.#routes.get(path[0]?.name ?? ''),
      methods: path.flatMap(({ methods }) => methods),
    };
    this.#matches.set(ctx, found);
    return found;
  }

  async #serve(ctx: Context, route: Route): Promise<void> {
    const { engine, limits, logger, metrics, endAsTooSlow } = this.#options;
    const params: Readonly<Record<string, string>> = ctx.params;
    if (Object.values(params).some((value) => value.includes('\0'))) {
      throw new TroveError('validation_error', 'path: must not contain a NUL');
    }
    const caller = callerOf(ctx);
    const query = parseQuery(ctx.querystring, route.query);
    const {
      result: { success, payload },
      signal,
    } = await callWithDeadline(ctx, limits, (callSignal, extend) => {
      const incoming = {
        ctx,
        limits,
        signal: callSignal,
        extend,
        confirmCaller: () => confirmCaller(ctx),
        endAsTooSlow: () => endAsTooSlow(ctx.req),
      };
      return route.run(
        visibleTo(caller, engine),
        { params, query, incoming },
        {
          signal: callSignal,
          ...(caller === null ? {} : { caller: caller.name }),
          metrics,
          origin: originOf(ctx),
          header: (name) => ctx.get(name),
          acceptsEvents: ctx.accepts('application/json', eventsType) === eventsType,
          streamEvents: (run) =>
            streamEvents(
              {
                signal: callSignal,
                heartbeatMs: limits.stalledTimeoutMs / heartbeatsPerTimeout,
                errorBody: (error) => route.errorFormat.body(shownError(ctx, error, logger)),
              },
              run,
            ),
        },
      );
    });
    // Node destroys a connection after this time without progress, because no listener handles the timeout.
    ctx.res.setTimeout(limits.stalledTimeoutMs);
    if (payload instanceof Readable) logBrokenStream(ctx, payload, logger);
    ctx.body =
      payload === null || payload instanceof Readable
        ? payload
        : await this.#responses.buffer(ctx, payload, signal);
    // Ends a response that is still being received at the deadline, however slowly the client reads.
    const waitMs = success.content?.type === eventsType ? lastEventMs : 0;
    signal.addEventListener('abort', () => destroyAfter(ctx, waitMs), { once: true });
    ctx.status = success.status;
    ctx.set({ ...success.headers });
    if (success.content !== null) ctx.set('Content-Type', success.content.type);
  }

  #refuse(ctx: Context): never {
    const methods = new Set(this.#match(ctx).methods);
    if (methods.size === 0) {
      throw new TroveError('not_found', 'The route does not exist', {
        suggestions: ['See /openapi.json for all routes.'],
      });
    }
    const allowed = [...methods].sort().join(', ');
    ctx.set('Allow', allowed);
    throw new TroveError('method_not_allowed', `The route only accepts ${allowed}`, {
      suggestions: [`Use ${allowed}.`],
    });
  }
}

function destroyAfter({ res }: Context, ms: number): void {
  if (ms === 0) res.destroy();
  else setTimeout(() => res.destroy(), ms).unref();
}

/** After a response has started, Koa can only signal an error by ending the connection. */
function logBrokenStream(ctx: Context, stream: Readable, logger: Logger): void {
  stream.once('error', (error) => {
    logger.warn('response ended early', { request_id: ctx.state['requestId'], error });
  });
}

/** Returns the operations as the caller may use them. An open route shows nothing that needs rights. */
export function visibleTo(caller: Caller | null, engine: Trove): TroveOperations {
  return caller === null ? engine : engine.restrictTo(caller.access);
}
