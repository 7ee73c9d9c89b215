import { messageOf, type Logger } from '@trove/core';
import type { MetadataStore, QueuedAlert } from '@trove/core/store';
import type { AlertChannel } from './alert-channels.js';

/** Longer than the time limit of a delivery. After a crash, another process delivers the alert when the lease expires. */
const leaseMs = 30_000;
const firstPauseMs = 5000;
const maxPauseMs = 600_000;
/** Older alerts are dropped. */
const maxAgeMs = 24 * 60 * 60 * 1000;
/** The number of concurrent deliveries of a channel. */
const maxParallel = 4;

/** Delivers queued alerts, and repeats failed deliveries for a day. */
export class Deliveries {
  readonly #queue: MetadataStore['alerts'];
  readonly #worker: string;
  readonly #logger: Logger;
  readonly #signal: AbortSignal;

  /** `worker`: never reused by another process. */
  constructor(
    { alerts }: Pick<MetadataStore, 'alerts'>,
    worker: string,
    logger: Logger,
    signal: AbortSignal,
  ) {
    this.#queue = alerts;
    this.#worker = worker;
    this.#logger = logger;
    this.#signal = signal;
  }

  /** Delivers the alerts of a channel that are due. */
  async deliver(channel: AlertChannel): Promise<void> {
    const deliverNext = async (): Promise<void> => {
      while (!this.#signal.aborted) {
        const alert = await this.#queue.claim(this.#worker, [channel.name], leaseMs);
        if (alert === null) return;
        await this.#deliver(channel, alert);
      }
    };
    await Promise.all(Array.from({ length: maxParallel }, deliverNext));
  }

  async #deliver(
    channel: AlertChannel,
    { id, body, attempt, createdAt }: QueuedAlert,
  ): Promise<void> {
    try {
      await channel.send(id, body, this.#signal);
      await this.#queue.complete(id, this.#worker);
    } catch (error) {
      // Makes the alert available to other processes, and to this one after a restart.
      if (this.#signal.aborted) return this.#queue.postpone(id, this.#worker, 0);
      const fields = { alert: id, channel: channel.name, error: messageOf(error) };
      if (Date.now() - createdAt > maxAgeMs) {
        this.#logger.error('an alert could not be delivered for a day and is dropped', fields);
        return this.#queue.complete(id, this.#worker);
      }
      const pause = Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs);
      this.#logger.warn(
        `an alert could not be delivered; trying again in ${pause / 1000} s`,
        fields,
      );
      await this.#queue.postpone(id, this.#worker, pause);
    }
  }
}
