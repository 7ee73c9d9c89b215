import { TroveError, type Logger } from '@trove/core';
import type { GraphCatalog } from '@trove/core/store';
import { createAbortController } from '@trove/runtime';

import type { GenerationNames } from './generation-names.js';

/** Time until another machine can replace a dead builder. */
const leaseMs = 30_000;
const heartbeatMs = 5_000;

/** The right to change a graph, renewed until `stopRenewal`. */
export class GraphLease {
  readonly graph: string;
  readonly generation: string;
  readonly #graphs: GraphCatalog;
  readonly #logger: Logger;
  readonly #lost = createAbortController();
  readonly #renewalTimer: NodeJS.Timeout;
  /** The latest expiry, by the clock of this process. */
  #endsAt: number;

  private constructor(graphs: GraphCatalog, logger: Logger, graph: string, generation: string) {
    this.#endsAt = performance.now() + leaseMs;
    this.graph = graph;
    this.generation = generation;
    this.#graphs = graphs;
    this.#logger = logger;
    this.#renewalTimer = setInterval(() => void this.#renew(), heartbeatMs).unref();
  }

  /** Throws `graph_busy`. */
  static async acquire(
    graphs: GraphCatalog,
    logger: Logger,
    names: GenerationNames,
    graph: string,
  ): Promise<GraphLease> {
    const generation = await names.create();
    try {
      await graphs.stage(graph, generation, leaseMs);
    } catch (error) {
      const holder = await graphs.stagedGeneration(graph);
      if (holder === null || !(await names.isAbandoned(holder))) throw error;
      await graphs.abandon(graph, holder);
      await graphs.stage(graph, generation, leaseMs);
    }
    return new GraphLease(graphs, logger, graph, generation);
  }

  /** Aborts when the lease is lost. */
  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  /** Stops renewing the lease. It ends with the holder's last change, or expires. */
  stopRenewal(): void {
    clearInterval(this.#renewalTimer);
  }

  async #renew(): Promise<void> {
    try {
      if (await this.#graphs.renew(this.graph, this.generation, leaseMs)) {
        this.#endsAt = performance.now() + leaseMs;
      } else this.#markLost();
    } catch (error) {
      this.#logger.warn('a lease of a graph could not be renewed', { error: String(error) });
      if (performance.now() >= this.#endsAt) this.#markLost();
    }
  }

  #markLost(): void {
    this.stopRenewal();
    this.#lost.abort(leaseLost(this.graph));
  }
}

export function leaseLost(graph: string): TroveError {
  return new TroveError(
    'graph_busy',
    `The lease of the graph ${graph} expired, and another process may change it`,
  );
}
