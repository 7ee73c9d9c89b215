import { Readable } from 'node:stream';
import { TroveError } from '@trove/core';
import type { Context } from 'koa';

/** Limits the total bytes of responses that clients have not received yet. */
export class UnsentResponses {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Buffers a response. Throws `overloaded` if slow clients hold too many bytes, or the signal's reason. */
  async buffer(
    ctx: Context,
    answer: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array | Readable> {
    let held = 0;
    ctx.res.once('close', () => (this.#bytes -= held));
    const pieces: Uint8Array[] = [];
    for await (const piece of answer) {
      // After the response has closed, the bytes would never be released.
      signal.throwIfAborted();
      if (this.#bytes > held && this.#bytes + piece.length > this.#limit) throw overloadedError();
      held += piece.length;
      this.#bytes += piece.length;
      pieces.push(piece);
    }
    // Node warns at more than ten listeners, and a streamed response has more.
    ctx.res.setMaxListeners(20);
    ctx.length = held;
    const [first, second] = pieces;
    // Copying a large response into one piece would take as long as writing it.
    return first !== undefined && second === undefined
      ? first
      : Readable.from(pieces, { objectMode: false });
  }
}

function overloadedError(): TroveError {
  return new TroveError('overloaded', 'Too many responses are waiting for slow clients', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
