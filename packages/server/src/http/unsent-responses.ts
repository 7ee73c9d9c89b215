import { Readable } from 'node:stream';
import { TroveError } from '@trove/core';
import type { Context } from 'koa';

/** Bounds the bytes of answers not yet received by clients. */
export class UnsentResponses {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Collects an answer, unless the signal says that nobody waits for it any more. Throws `overloaded` when too much is
   * already waiting for slow clients.
   */
  async buffer(
    ctx: Context,
    answer: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Uint8Array | Readable> {
    let held = 0;
    ctx.res.once('close', () => (this.#bytes -= held));
    const pieces: Uint8Array[] = [];
    for await (const piece of answer) {
      // After the end of the response nothing would be given back.
      signal.throwIfAborted();
      if (this.#bytes > held && this.#bytes + piece.length > this.#limit) throw overloadedError();
      held += piece.length;
      this.#bytes += piece.length;
      pieces.push(piece);
    }
    // A streamed response has more than ten parties that wait for its end.
    ctx.res.setMaxListeners(20);
    ctx.length = held;
    const [first, second] = pieces;
    // Copying a large answer into one piece would take as long as all the writing did.
    return first !== undefined && second === undefined
      ? first
      : Readable.from(pieces, { objectMode: false });
  }
}

function overloadedError(): TroveError {
  return new TroveError('overloaded', 'Too many answers wait to be taken by their clients', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
