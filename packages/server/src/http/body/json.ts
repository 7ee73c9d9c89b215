import { setImmediate as immediate } from 'node:timers/promises';
import { TroveError, type Infer, type JsonSchema } from '@trove/core';
import { acceptParsed } from 'trove';
import { bytesOf, isPlain, lent, piecewise, requireBody } from './bytes.js';
import { checkJson } from './check-json.js';
import type { BodyContext, Incoming, RequestBody } from './request-body.js';

/** JSON, read as a whole and validated; at most `maxBytes`, by default the host's limit. */
export function jsonBody<const S extends JsonSchema>(
  schema: S,
  maxBytes?: number,
): RequestBody<Infer<S>> {
  return {
    content: { 'application/json': schema },
    receive: async (incoming) => ({
      value: acceptParsed(schema, await readJson(incoming, maxBytes), 'body'),
    }),
  };
}

/** JSON of any size up to `maxBytes`, as its bytes: parsed and validated by whoever takes them, off the main thread. */
export function streamedJsonBody(
  schema: JsonSchema,
  maxBytes: number,
): RequestBody<AsyncIterable<Uint8Array>> {
  return {
    content: { 'application/json': schema },
    receive: async (incoming) => {
      requireBody(incoming.ctx);
      requireJson(incoming.ctx);
      return { value: lent(bytesOf(incoming, maxBytes, piecewise(incoming.limits))) };
    },
  };
}

async function readJson(incoming: Incoming, maxBytes: number | undefined): Promise<unknown> {
  const { ctx, limits } = incoming;
  requireBody(ctx);
  requireJson(ctx);
  const pieces: Uint8Array[] = [];
  const bytes = bytesOf(incoming, maxBytes ?? limits.bodyBytes, {
    wholeMs: limits.receiveTimeoutMs,
  });
  for await (const piece of bytes) pieces.push(piece);
  // Other requests have their turn between the steps, of which each takes a while for a large body.
  const text = decodeUtf8(Buffer.concat(pieces));
  await immediate();
  if (text.trim() === '') throw invalid('body: is required');
  const value = parse(text);
  await immediate();
  checkJson(value);
  await immediate();
  return value;
}

function requireJson(ctx: BodyContext): void {
  const charset = ctx.request.charset.toLowerCase();
  const isUtf8 = ['', 'utf-8', 'utf8'].includes(charset);
  if (ctx.is(['json', '+json']) !== false && isUtf8 && isPlain(ctx)) return;
  throw new TroveError('unsupported_media_type', 'header.content-type: must be JSON in UTF-8', {
    suggestions: ['Send JSON with `Content-Type: application/json`, not compressed.'],
  });
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw invalid('body: must be UTF-8', cause);
  }
}

/** The parser's own message quotes the text, so it is never shown. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('body: is not valid JSON');
  }
}

function invalid(detail: string, cause?: unknown): TroveError {
  return new TroveError('validation_error', detail, {
    cause,
    suggestions: ['Send a JSON object; /openapi.json describes each request.'],
  });
}
