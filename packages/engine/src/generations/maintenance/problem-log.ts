import type { Logger } from '@trove/core';

/** The log messages at the start and the end of a problem. */
export interface ProblemMessages {
  readonly started: string;
  readonly ended: string;
}

/** Logs a persistent problem once when it starts, changes or ends, however often it is reported. */
export class ProblemLog {
  readonly #logger: Logger;
  readonly #messages: ProblemMessages;
  #reason: string | null = null;

  constructor(logger: Logger, messages: ProblemMessages) {
    this.#logger = logger;
    this.#messages = messages;
  }

  /** Reports the current reason of the problem. Null: there is no problem. */
  update(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    if (reason === null) this.#logger.info(this.#messages.ended);
    else this.#logger.warn(this.#messages.started, { reason });
  }
}
