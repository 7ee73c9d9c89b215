import { setImmediate } from 'node:timers/promises';
import { errorCatalogue, isTroveError, TroveError, type Logger } from '@trove/core';
import { jsonType, type ErrorFormat } from '@trove/operations';
import type { Context, Middleware } from 'koa';
import { ClientGoneError } from './call.js';

/**
 * Converts every error to a response in the shape of its route. Foreign errors are logged, and their messages
 * are not shown.
 */
export function answerErrors(logger: Logger, shapeFor: (ctx: Context) => ErrorFormat): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGoneError || !ctx.writable) return;
      sendError(ctx, error, logger, shapeFor(ctx));
    }
    // The parser handles data that arrived with the headers in the next turn of the event loop.
    if (!ctx.req.complete) await setImmediate();
    if (!ctx.req.complete && ctx.writable) discardBody(ctx);
  };
}

function sendError(ctx: Context, thrown: unknown, logger: Logger, shape: ErrorFormat): void {
  const error = shownError(ctx, thrown, logger);
  ctx.status = errorCatalogue[error.code].status;
  const headers = extraHeaders(error);
  for (const [name, value] of Object.entries(headers)) ctx.set(name, value);
  // Some shapes omit the code.
  ctx.set('X-Error-Code', error.publicCode);
  ctx.body = JSON.stringify(shape.body(error));
  ctx.set('Content-Type', jsonType);
}

/** Returns the error that the client may see. Logs an internal error. */
export function shownError(ctx: Context, thrown: unknown, logger: Logger): TroveError {
  const error = toShownError(thrown, requestIdOf(ctx));
  if (error.code === 'internal_error') {
    logger.error('request failed', { request_id: requestIdOf(ctx), error: thrown });
  }
  return error;
}

/** Returns a `TroveError` unchanged. Foreign errors, and errors without a status, become `internal_error`. */
function toShownError(thrown: unknown, requestId: string): TroveError {
  const isKnown = isTroveError(thrown) && Object.hasOwn(errorCatalogue, thrown.code);
  if (isKnown && thrown.code !== 'internal_error' && errorCatalogue[thrown.code].status > 0) {
    return thrown;
  }
  return new TroveError(
    'internal_error',
    `An internal error occurred. The log contains it as request ${requestId}`,
  );
}

function extraHeaders(error: TroveError): Record<string, string> {
  if (error.code === 'unauthorized') return { 'WWW-Authenticate': 'Bearer' };
  if (error.jobId !== undefined) return { Location: `/v1/jobs/${encodeURIComponent(error.jobId)}` };
  if (error.code !== 'overloaded' && error.code !== 'rate_limited') return {};
  return { 'Retry-After': String(Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000))) };
}

const maxDiscardedBytes = 16 * 1024 * 1024;
const lingerMs = 5000;

/**
 * Reads and discards the rest of a body, up to a limit. Node would otherwise close the connection after the
 * response, and a client that is still sending would lose the response.
 */
function discardBody({ req, res }: Context): void {
  const { socket } = req;
  res.setHeader('Connection', 'close');
  const leave = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (req.complete) return leave();
    socket.end();
    const leaving = setTimeout(leave, lingerMs);
    socket.once('close', () => clearTimeout(leaving));
    req.once('end', leave).resume();
  };
  let size = 0;
  req.on('data', (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > maxDiscardedBytes) req.pause();
  });
}

function requestIdOf(ctx: Context): string {
  return String(ctx.state['requestId']);
}
