import { messageOf, type Logger } from '@trove/core';
import { delay } from '@trove/runtime';
import { Wake } from '../jobs/wake.js';
import { IndexWriter } from './index-writer.js';
import type { ProcessContext } from './process-task.js';

const pauseMs = 5000;

/** What the parts of a worker share. */
export class WorkerContext {
  /** Unique among all workers that ever lived. */
  readonly name: string;
  readonly services: ProcessContext;
  readonly writer: IndexWriter;
  readonly logger: Logger;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Notified when there may be something to do. */
  readonly wake = new Wake();

  constructor(name: string, services: ProcessContext, logger: Logger, signal: AbortSignal) {
    this.name = name;
    this.services = services;
    this.writer = new IndexWriter(services, name, signal, logger);
    this.logger = logger;
    this.signal = signal;
  }

  /** Logs an error and resolves with undefined. */
  async attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.signal.aborted) {
        const message = messageOf(error);
        this.logger.error(`${what} failed`, { error: message });
      }
      return undefined;
    }
  }

  /** Repeats what must succeed: a lease that keeps being renewed would hold the job for ever. */
  async insist(what: string, work: () => Promise<unknown>): Promise<void> {
    while ((await this.attempt(what, async () => ({ done: await work() }))) === undefined) {
      if (this.signal.aborted) return;
      await delay(pauseMs, this.signal);
    }
  }
}
