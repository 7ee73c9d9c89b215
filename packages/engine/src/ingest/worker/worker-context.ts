import { messageOf, type Logger } from '@trove/core';
import { Notifier } from '../../generations/scheduling/notifier.js';
import { IndexWriter } from '../tasks/index-writer.js';
import { RetryPolicy } from '../retry-policy.js';
import type { IngestServices } from '../tasks/process-task.js';

/** State that the parts of a worker share. */
export class WorkerContext {
  /** Unique among all workers that ever lived. */
  readonly name: string;
  readonly services: IngestServices;
  readonly writer: IndexWriter;
  readonly retry: RetryPolicy;
  readonly logger: Logger;
  /** Aborts when the worker stops. */
  readonly signal: AbortSignal;
  /** Notified when there may be work. */
  readonly wake = new Notifier();

  constructor(name: string, services: IngestServices, logger: Logger, signal: AbortSignal) {
    this.name = name;
    this.services = services;
    this.writer = new IndexWriter(services, name, signal, logger);
    this.retry = new RetryPolicy(logger, services.diskSpace, signal);
    this.logger = logger;
    this.signal = signal;
  }

  /** Runs work. Logs an error and returns undefined then. */
  async attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.services.diskSpace.observe(error);
      if (!this.signal.aborted) {
        const message = messageOf(error);
        this.logger.error(`${what} failed`, { error: message });
      }
      return undefined;
    }
  }
}
