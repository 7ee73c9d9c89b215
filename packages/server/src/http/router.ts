import { Readable } from 'node:stream';
import Router from '@koa/router';
import { TroveError, type Logger } from '@trove/core';
import type Koa from 'koa';
import type { Context } from 'koa';
import type { Engine } from 'trove';
import { takesBody, type Route } from '../routes/route.js';
import { readJsonBody } from './body.js';
import { callWithDeadline } from './call.js';
import type { Limits } from './limits.js';
import { parseQuery } from './query.js';
import { UnsentAnswers } from './unsent-answers.js';

export interface RouterOptions {
  readonly engine: Engine;
  readonly routes: readonly Route[];
  readonly limits: Limits;
  readonly logger: Logger;
}

/** Serves the routes of a table, and refuses all others. */
export function serveRoutes(app: Koa, options: RouterOptions): void {
  const router = new Router({ strict: true, sensitive: true });
  const answers = new UnsentAnswers(options.limits.unsentBytes);
  for (const route of options.routes) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.register(path, [route.method], (ctx) => serve(ctx, route, answers, options));
  }
  app.use(router.routes());
  app.use((ctx) => refuse(ctx, router));
}

async function serve(
  ctx: Context,
  route: Route,
  answers: UnsentAnswers,
  { engine, limits, logger }: RouterOptions,
): Promise<void> {
  const params: Readonly<Record<string, string>> = ctx.params;
  if (Object.values(params).some((value) => value.includes('\0'))) {
    throw new TroveError('validation_error', 'path: must not hold a NUL');
  }
  const query = parseQuery(ctx.querystring, route.query);
  const body = (): Promise<unknown> =>
    takesBody(route) ? readJsonBody(ctx, limits.bodyBytes) : Promise.resolve({});
  const { result, signal } = await callWithDeadline(ctx, limits.requestTimeoutMs, (callSignal) =>
    route.run(engine, { params, query, body }, { signal: callSignal }),
  );
  // With no listener of ours, Node destroys a connection after this long without progress.
  ctx.res.setTimeout(limits.stalledTimeoutMs);
  if (result instanceof Readable) sendStream(ctx, result, signal, logger);
  else await answers.send(ctx, result, signal);
}

/** Once an answer has started, an error can only be signalled by breaking off, which Koa does when the stream fails. */
function sendStream(ctx: Context, stream: Readable, signal: AbortSignal, logger: Logger): void {
  stream.once('error', (error) => {
    logger.warn('answer broken off', { request_id: ctx.state['requestId'], error });
  });
  signal.addEventListener('abort', () => stream.destroy(), { once: true });
  ctx.type = 'json';
  ctx.body = stream;
}

function refuse(ctx: Context, router: Router): never {
  const methods = new Set(
    router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods),
  );
  if (methods.size === 0) {
    throw new TroveError('not_found', 'There is no such route', {
      suggestions: ['See /openapi.json for all routes.'],
    });
  }
  const allowed = [...methods].sort().join(', ');
  ctx.set('Allow', allowed);
  throw new TroveError('method_not_allowed', `The route takes ${allowed} only`, {
    suggestions: [`Use ${allowed}.`],
  });
}
