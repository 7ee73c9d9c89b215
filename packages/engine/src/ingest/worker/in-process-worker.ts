import { inject, injectable, LoggerToken, createToken } from '@trove/core/di';
import type { Logger } from '@trove/core';
import { ConnectorsToken, type Connectors } from '../../sources/connectors/connectors.js';
import type { LocalWorker } from '../jobs/job-service.js';
import { Notifier } from '../../generations/scheduling/notifier.js';
import { IngestWorker } from './ingest-worker.js';
import { IngestServicesToken, type IngestServices } from '../tasks/process-task.js';
import { newWorkerName } from './worker-name.js';

/** The token of `InProcessWorker` in an engine's container. */
export const InProcessWorkerToken = createToken<InProcessWorker>('engine.in_process_worker');

/** Runs the worker of this process: permanently once started, or while a caller waits for a job. */
@injectable()
export class InProcessWorker implements LocalWorker {
  readonly #services: IngestServices;
  readonly #connectors: Connectors;
  readonly #logger: Logger;
  readonly jobEnded = new Notifier();
  #worker: Promise<IngestWorker> | null = null;
  #users = 0;

  constructor(
    @inject(IngestServicesToken) services: IngestServices,
    @inject(ConnectorsToken) connectors: Connectors,
    @inject(LoggerToken) logger: Logger,
  ) {
    this.#services = services;
    this.#connectors = connectors;
    this.#logger = logger;
  }

  /** Runs until `stop`. */
  start(): void {
    this.#users++;
    this.#enter().catch((error: unknown) => {
      this.#logger.error('the worker could not start', { error: String(error) });
    });
  }

  notify(): void {
    void this.#worker?.then((worker) => worker.notify(), ignore);
  }

  cancel(jobId: string): void {
    void this.#worker?.then((worker) => worker.cancel(jobId), ignore);
  }

  async workUntil<T>(work: Promise<T>): Promise<T> {
    this.#users++;
    try {
      await this.#enter();
      return await work;
    } finally {
      this.#users--;
      if (this.#users === 0) await this.stop();
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await (await worker?.catch(() => null))?.stop();
  }

  #enter(): Promise<IngestWorker> {
    if (this.#worker === null) {
      const starting = this.#create().then((worker) => {
        worker.start();
        return worker;
      });
      this.#worker = starting;
      starting.catch(() => {
        if (this.#worker === starting) this.#worker = null;
      });
    }
    return this.#worker;
  }

  async #create(): Promise<IngestWorker> {
    return new IngestWorker({
      name: await newWorkerName(this.#services.settings.machineId),
      services: this.#services,
      connectors: this.#connectors,
      logger: this.#logger,
      onJobEnd: () => this.jobEnded.notify(),
    });
  }
}

/** The caller that started the worker receives the error. */
function ignore(): void {}
