import type { Logger } from '@trove/core';

/** What to say of it. */
export interface ProblemMessages {
  readonly started: string;
  readonly ended: string;
}

/** Something that may not work for a while: said when that begins, changes or ends, however often it is met. */
export class ProblemLog {
  readonly #logger: Logger;
  readonly #messages: ProblemMessages;
  #reason: string | null = null;

  constructor(logger: Logger, messages: ProblemMessages) {
    this.#logger = logger;
    this.#messages = messages;
  }

  /** Why it does not work now; null: it does. */
  update(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === null) this.#logger.info(this.#messages.ended);
    else this.#logger.warn(this.#messages.started, { reason });
  }
}
