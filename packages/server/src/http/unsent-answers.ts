import { TroveError } from '@trove/core';
import type { Context } from 'koa';

/** Bounds the bytes of answers not yet received by clients. */
export class UnsentAnswers {
  readonly #limit: number;
  #bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Answers with JSON. Throws `overloaded` when too much is already waiting for slow clients. */
  send(ctx: Context, answer: unknown): void {
    const body = Buffer.from(JSON.stringify(answer));
    if (this.#bytes > 0 && this.#bytes + body.length > this.#limit) {
      throw new TroveError('overloaded', 'Too many answers wait to be taken by their clients', {
        retryable: true,
        retryAfterMs: 1000,
      });
    }
    this.#bytes += body.length;
    ctx.res.once('close', () => (this.#bytes -= body.length));
    ctx.type = 'json';
    ctx.body = body;
  }
}
