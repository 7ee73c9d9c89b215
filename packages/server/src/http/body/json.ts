import { setImmediate as immediate } from 'node:timers/promises';
import { TroveError } from '@trove/core';
import type { JsonBody, StreamedJsonBody } from '@trove/operations';
import { acceptParsed } from 'trove';
import {
  receiveBytes,
  isUncompressed,
  freeAfterRead,
  progressTimeout,
  requireBody,
} from './bytes.js';
import { checkJson } from './check-json.js';
import type { BodyContext, IncomingBody } from './incoming.js';

/** Reads a JSON body and validates it. */
export async function receiveJson(
  { schema, maxBytes }: JsonBody,
  incoming: IncomingBody,
): Promise<unknown> {
  return acceptParsed(schema, await readJson(incoming, maxBytes), 'body');
}

/** Returns the bytes of a JSON body. The handler parses and validates them off the main thread. */
export function receiveJsonBytes(
  { maxBytes }: StreamedJsonBody,
  incoming: IncomingBody,
): AsyncIterable<Uint8Array> {
  requireBody(incoming.ctx);
  requireJson(incoming.ctx);
  return freeAfterRead(receiveBytes(incoming, maxBytes, progressTimeout(incoming.limits)));
}

async function readJson(incoming: IncomingBody, maxBytes: number | undefined): Promise<unknown> {
  const { ctx, limits } = incoming;
  requireBody(ctx);
  requireJson(ctx);
  const pieces: Uint8Array[] = [];
  const bytes = receiveBytes(incoming, maxBytes ?? limits.bodyBytes, {
    wholeMs: limits.receiveTimeoutMs,
  });
  for await (const piece of bytes) pieces.push(piece);
  // Yields to other requests between the steps, because each is slow for a large body.
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
  if (ctx.is(['json', '+json']) !== false && isUtf8 && isUncompressed(ctx)) return;
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

/** The parser's message is hidden, because it quotes the body. */
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
    suggestions: ['Send a JSON object. /openapi.json describes each request.'],
  });
}
