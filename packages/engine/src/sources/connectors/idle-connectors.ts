import { messageOf, type Logger } from '@trove/core';

/** An unused connector is closed after this time. */
const idleMs = 300_000;
/** Of the unused connectors beyond this number, the least recently used are closed earlier. */
const maxIdle = 100;
/** The minimum idle time, because a caller may still read the result of its last call. */
const minIdleMs = 10_000;
const checkIntervalMs = 5000;

interface IdleConnector {
  readonly rootUri: string;
  /** Does nothing while a call runs. */
  closeIdle(): Promise<void>;
}

/** Closes connectors that are not in use. A closed one opens again for its next call. */
export class IdleConnectors {
  readonly #logger: Logger;
  /** The end of the last call of each open connector, the earliest first. */
  readonly #usedAt = new Map<IdleConnector, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Call it when the last call of a connector has ended. */
  add(connector: IdleConnector): void {
    this.#usedAt.delete(connector);
    this.#usedAt.set(connector, performance.now());
    this.#timer ??= this.#startTimer();
  }

  remove(connector: IdleConnector): void {
    this.#usedAt.delete(connector);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#usedAt.clear();
  }

  #startTimer(): NodeJS.Timeout {
    return setTimeout(() => {
      this.#closeUnused();
      this.#timer = this.#usedAt.size === 0 ? undefined : this.#startTimer();
    }, checkIntervalMs).unref();
  }

  #closeUnused(): void {
    const now = performance.now();
    for (const [connector, usedAt] of this.#usedAt) {
      const limitMs = this.#usedAt.size > maxIdle ? minIdleMs : idleMs;
      if (now - usedAt < limitMs) return;
      this.#usedAt.delete(connector);
      connector.closeIdle().catch((error: unknown) =>
        this.#logger.warn('closing an idle connector failed', {
          target: connector.rootUri,
          error: messageOf(error),
        }),
      );
    }
  }
}
