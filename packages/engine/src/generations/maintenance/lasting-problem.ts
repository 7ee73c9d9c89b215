import type { Logger } from '@trove/core';

/** What to say of it. */
export interface LastingMessages {
  readonly begun: string;
  readonly over: string;
}

/** Something that may not work for a while: said when that begins, changes or ends, however often it is met. */
export class LastingProblem {
  readonly #logger: Logger;
  readonly #messages: LastingMessages;
  #reason: string | null = null;

  constructor(logger: Logger, messages: LastingMessages) {
    this.#logger = logger;
    this.#messages = messages;
  }

  /** Why it does not work now; null: it does. */
  is(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === null) this.#logger.info(this.#messages.over);
    else this.#logger.warn(this.#messages.begun, { reason });
  }
}
