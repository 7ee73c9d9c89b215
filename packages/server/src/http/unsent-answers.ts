import { Readable } from 'node:stream';
import { TroveError } from '@trove/core';
import type { Context } from 'koa';
import { jsonPieces } from './json-pieces.js';

/** Bounds the bytes of answers not yet received by clients. */
export class UnsentAnswers {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Answers with JSON, unless the signal says that nobody waits for it any more. Throws `overloaded` when too much is
   * already waiting for slow clients.
   */
  async send(ctx: Context, answer: unknown, signal: AbortSignal): Promise<void> {
    let held = 0;
    ctx.res.once('close', () => (this.#bytes -= held));
    const pieces: Buffer[] = [];
    for await (const piece of jsonPieces(answer)) {
      // After the end of the response nothing would be given back.
      signal.throwIfAborted();
      if (this.#bytes > held && this.#bytes + piece.length > this.#limit) throw overloaded();
      held += piece.length;
      this.#bytes += piece.length;
      pieces.push(piece);
    }
    // A streamed response has more than ten parties that wait for its end.
    ctx.res.setMaxListeners(20);
    ctx.type = 'json';
    // Copying a large answer into one piece would take as long as all the writing did.
    ctx.body = pieces.length === 1 ? pieces[0] : Readable.from(pieces, { objectMode: false });
    ctx.length = held;
  }
}

function overloaded(): TroveError {
  return new TroveError('overloaded', 'Too many answers wait to be taken by their clients', {
    retryable: true,
    retryAfterMs: 1000,
  });
}
