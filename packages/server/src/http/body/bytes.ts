import { TroveError } from '@trove/core';
import { freeMemory } from 'trove';
import { expectsContinue } from '../refuse-expectation.js';
import type { HostLimits } from '../limits.js';
import { piecesOf } from './pieces.js';
import type { BodyContext, IncomingBody } from './incoming.js';

/**
 * How long the client may take, in milliseconds: for everything, or to send what comes next. For that it has `pauseMs` in
 * the beginning, spends them by waiting, and earns them anew with bytes, at `bytesPerS`: a byte now and then does not do.
 */
type ReceiveTimeout =
  | { readonly wholeMs: number }
  | { readonly pauseMs: number; readonly bytesPerS: number };

/**
 * The bytes of a body as they arrive, no faster than they are taken. Throws `payload_too_large`, before anything is read
 * if the length is announced. A client that is too slow is answered with 408; one that leaves aborts the call.
 */
export async function* receiveBytes(
  { ctx, signal, extend, admit, endAsTooSlow }: IncomingBody,
  maxBytes: number,
  patience: ReceiveTimeout,
): AsyncGenerator<Uint8Array, void> {
  const { req, res } = ctx;
  if (Number(req.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (expectsContinue(ctx)) res.writeContinue();
  const pieces = piecesOf(req);
  const startWhole = (): NodeJS.Timeout | undefined =>
    'wholeMs' in patience ? setTimeout(endAsTooSlow, patience.wholeMs) : undefined;
  let whole = startWhole();
  const waiting = 'pauseMs' in patience ? new ReceiveTimer(patience, endAsTooSlow) : null;
  // After an answer nobody waits for the rest of the body, which may never come.
  const giveUp = (): void => {
    clearTimeout(whole);
    waiting?.end();
  };
  res.once('close', giveUp);
  let size = 0;
  try {
    for (;;) {
      waiting?.begin();
      const { value, done } = await pieces.next().finally(() => waiting?.end());
      if (done === true) return;
      if (!(value instanceof Uint8Array)) continue;
      if (size === 0 && admit !== undefined) {
        clearTimeout(whole);
        await admit();
        whole = startWhole();
      }
      size += value.byteLength;
      if (size > maxBytes) throw tooLarge(maxBytes);
      if (waiting !== null) {
        waiting.earn(value.byteLength);
        extend();
      }
      yield value;
    }
  } catch (error) {
    throw req.destroyed && !req.complete ? await reasonOf(signal) : error;
  } finally {
    await pieces.return();
    res.off('close', giveUp);
    clearTimeout(whole);
  }
}

/**
 * The same pieces; each is there until the next is asked for. What has been read of a large body does not wait for V8,
 * which lets tens of megabytes gather.
 */
export async function* freeAfterRead(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  for await (const piece of pieces) {
    yield piece;
    freeMemory(piece);
  }
}

/** The time that is left to a client for the next piece. Only waiting for it spends any. */
class ReceiveTimer {
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

  earn(bytes: number): void {
    this.#leftMs = Math.min(this.#pauseMs, this.#leftMs + bytes * this.#msPerByte);
  }
}

/** How long a client may take that sends a body piece by piece. */
export function progressTimeout({
  receiveTimeoutMs,
  receiveBytesPerS,
}: HostLimits): ReceiveTimeout {
  return { pauseMs: receiveTimeoutMs, bytesPerS: receiveBytesPerS };
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
export function isUncompressed(ctx: BodyContext): boolean {
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
