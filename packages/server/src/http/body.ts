import type { IncomingMessage } from 'node:http';
import { TroveError } from '@trove/core';
import type { Context } from 'koa';
import { checkJson } from './check-json.js';
import { expectsContinue } from './refuse-expectation.js';

/** Reads a JSON body. Throws `unsupported_media_type`, `payload_too_large` or `validation_error`. */
export async function readJsonBody(ctx: Context, maxBytes: number): Promise<unknown> {
  const { req } = ctx;
  if (!hasBody(req)) throw invalid('body: is required');
  requireJson(ctx);
  const bytes = await readBytes(ctx, maxBytes);
  const text = decodeUtf8(bytes);
  if (text.trim() === '') throw invalid('body: is required');
  const value = parse(text);
  checkJson(value);
  return value;
}

function hasBody(req: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  return encoding !== undefined || (length !== undefined && Number(length) > 0);
}

function requireJson(ctx: Context): void {
  const charset = ctx.request.charset.toLowerCase();
  const plain = ctx.get('content-encoding') === '' || ctx.get('content-encoding') === 'identity';
  if (ctx.is('json', '+json') !== false && ['', 'utf-8', 'utf8'].includes(charset) && plain) return;
  throw new TroveError('unsupported_media_type', 'header.content-type: must be JSON in UTF-8', {
    suggestions: ['Send JSON with `Content-Type: application/json`, not compressed.'],
  });
}

async function readBytes(ctx: Context, maxBytes: number): Promise<Uint8Array> {
  const { req } = ctx;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (expectsContinue(ctx)) ctx.res.writeContinue();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    if (!(chunk instanceof Uint8Array)) continue;
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
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

function tooLarge(maxBytes: number): TroveError {
  return new TroveError('payload_too_large', `body: must be at most ${maxBytes} bytes`);
}
