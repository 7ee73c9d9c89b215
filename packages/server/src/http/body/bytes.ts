import { TroveError } from '@trove/core';
import { freeMemory } from 'trove';
import { expectsContinue } from '../refuse-expectation.js';
import type { HostLimits } from '../limits.js';
import { piecesOf } from './pieces.js';
import type { BodyContext, IncomingBody } from './incoming.js';

/**
 * Time limit for receiving a body. `wholeMs`: for the whole body, in milliseconds. `pauseMs` and `bytesPerS`:
 * waiting uses up `pauseMs`, and received bytes restore it at this rate. A single byte now and then is
 * therefore not enough.
 */
type ReceiveTimeout =
  | { readonly wholeMs: number }
  | { readonly pauseMs: number; readonly bytesPerS: number };

/**
 * Receives the bytes of a body, no faster than they are consumed. Throws `payload_too_large`, before reading if
 * the announced length is too large. A client that is too slow gets 408. A client that disconnects aborts the
 * call. Throws `unauthorized` after the last byte if the token of the caller was revoked meanwhile.
 */
export async function* receiveBytes(
  { ctx, signal, extend, admit, confirmCaller, endAsTooSlow }: IncomingBody,
  maxBytes: number,
  timeout: ReceiveTimeout,
): AsyncGenerator<Uint8Array, void> {
  const { req, res } = ctx;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (expectsContinue(ctx)) res.writeContinue();
  const pieces = piecesOf(req);
  const startWholeTimer = (): NodeJS.Timeout | undefined =>
    'wholeMs' in timeout ? setTimeout(endAsTooSlow, timeout.wholeMs) : undefined;
  let wholeTimer = startWholeTimer();
  const pauseTimer = 'pauseMs' in timeout ? new PauseTimer(timeout, endAsTooSlow) : null;
  // The rest of the body may never arrive after the response.
  const stopTimers = (): void => {
    clearTimeout(wholeTimer);
    pauseTimer?.end();
  };
  res.once('close', stopTimers);
  let size = 0;
  try {
    for (;;) {
      pauseTimer?.begin();
      const { value, done } = await pieces.next().finally(() => pauseTimer?.end());
      if (done === true) return await confirmCaller();
      if (!(value instanceof Uint8Array)) continue;
      if (size === 0 && admit !== undefined) {
        clearTimeout(wholeTimer);
        await admit();
        wholeTimer = startWholeTimer();
      }
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (pauseTimer !== null) {
        pauseTimer.restore(value.byteLength);
        extend();
      }
      yield value;
    }
  } catch (error) {
    throw req.destroyed && !req.complete ? await waitForReason(signal) : error;
  } finally {
    await pieces.return();
    res.off('close', stopTimers);
    clearTimeout(wholeTimer);
  }
}

/**
 * Yields the pieces unchanged and frees each when the next is requested. Otherwise V8 lets tens of megabytes
 * accumulate.
 */
export async function* freeAfterRead(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    yield piece;
    freeMemory(piece);
  }
}

/** The time a client has left for the next piece. Only waiting uses it up. */
class PauseTimer {
  readonly #pauseMs: number;
  readonly #msPerByte: number;
  readonly #tooLong: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    { pauseMs, bytesPerS }: { readonly pauseMs: number; readonly bytesPerS: number },
    tooLong: () => void,
  ) {
    this.#pauseMs = this.#leftMs = pauseMs;
    this.#msPerByte = 1000 / bytesPerS;
    this.#tooLong = tooLong;
  }

  begin(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#tooLong, this.#leftMs);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }

  restore(bytes: number): void {
    this.#leftMs = Math.min(this.#pauseMs, this.#leftMs + bytes * this.#msPerByte);
  }
}

/** Returns the time limit of a body that is received in pieces. */
export function progressTimeout({
  receiveTimeoutMs,
  receiveBytesPerS,
}: HostLimits): ReceiveTimeout {
  return { pauseMs: receiveTimeoutMs, bytesPerS: receiveBytesPerS };
}

/** Throws `validation_error` if the request has no body. */
export function requireBody({ req }: BodyContext): void {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (encoding !== undefined || Number(length ?? 0) > 0) return;
  throw new TroveError('validation_error', 'body: is required', {
    suggestions: ['Send a body. /openapi.json describes each request.'],
  });
}

/** Whether the body has no content encoding. */
export function isUncompressed(ctx: BodyContext): boolean {
  return ['', 'identity'].includes(ctx.get('content-encoding'));
}

/** Waits for the call to learn of the lost connection. Its reason is not a fault of the server. */
async function waitForReason(signal: AbortSignal): Promise<unknown> {
  if (!signal.aborted) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  }
  return signal.reason;
}

function tooLarge(maxBytes: number): TroveError {
  return new TroveError('payload_too_large', `body: must be at most ${maxBytes} bytes`);
}
