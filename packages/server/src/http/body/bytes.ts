import { TroveError } from '@trove/core';
import { expectsContinue } from '../refuse-expectation.js';
import type { BodyContext, Incoming } from './request-body.js';

/** How long the client may take, in milliseconds: between two pieces, or for all of them. */
type Patience = { readonly pauseMs: number } | { readonly wholeMs: number };

/**
 * The bytes of a body as they arrive, no faster than they are taken. Throws `payload_too_large`, before anything is read
 * if the length is announced. A client that is too slow is answered with 408; one that leaves aborts the call.
 */
export async function* bytesOf(
  { ctx, signal, extend, endAsTooSlow }: Incoming,
  maxBytes: number,
  patience: Patience,
): AsyncGenerator<Uint8Array, void> {
  const { req, res } = ctx;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (expectsContinue(ctx)) res.writeContinue();
  const pieces = req.iterator({ destroyOnReturn: false });
  const whole = 'wholeMs' in patience ? setTimeout(endAsTooSlow, patience.wholeMs) : undefined;
  let size = 0;
  try {
    for (;;) {
      const pause = 'pauseMs' in patience ? setTimeout(endAsTooSlow, patience.pauseMs) : undefined;
      const { value, done } = await pieces.next().finally(() => clearTimeout(pause));
      if (done === true) return;
      if (!(value instanceof Uint8Array)) continue;
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if ('pauseMs' in patience) extend();
      yield value;
    }
  } catch (error) {
    throw req.destroyed && !req.complete ? await reasonOf(signal) : error;
  } finally {
    clearTimeout(whole);
  }
}

/** Throws `validation_error` when there is no body. */
export function requireBody({ req }: BodyContext): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (encoding !== undefined || Number(length ?? 0) > 0) return;
  throw new TroveError('validation_error', 'body: is required', {
    suggestions: ['Send a body; /openapi.json describes each request.'],
  });
}

/** Whether the content is sent as it is, without a compression of HTTP around it. */
export function isPlain(ctx: BodyContext): boolean {
  return ['', 'identity'].includes(ctx.get('content-encoding'));
}

/** The connection is lost, of which the call is told in a moment: its reason is not a fault of the server. */
async function reasonOf(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  return signal.reason;
}

function tooLarge(maxBytes: number): TroveError {
  return new TroveError('payload_too_large', `body: must be at most ${maxBytes} bytes`);
}
