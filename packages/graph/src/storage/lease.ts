import { TroveError, type Logger } from '@trove/core';
import type { GraphCatalog } from '@trove/core/store';
import { createAbortController } from '@trove/runtime';

import type { GenerationNames } from './generation-names.js';

/** A graph whose builder died on another machine is free again after this. */
const leaseMs = 30_000;
const heartbeatMs = 5_000;

/** The right to change a graph, kept up while it is held. */
export class GraphLease {
  readonly graph: string;
  readonly generation: string;
  readonly #graphs: GraphCatalog;
  readonly #logger: Logger;
  readonly #lost = createAbortController();
  readonly #heart: NodeJS.Timeout;
  /** When it surely has run out, by the clock of this process. */
  #endsAt: number;

  private constructor(graphs: GraphCatalog, logger: Logger, graph: string, generation: string) {
    this.#endsAt = performance.now() + leaseMs;
    this.graph = graph;
    this.generation = generation;
    this.#graphs = graphs;
    this.#logger = logger;
    this.#heart = setInterval(() => void this.#beat(), heartbeatMs).unref();
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

  /** No longer kept up: it ends with what its holder does last, or by itself. */
  stopRenewal(): void {
    clearInterval(this.#heart);
  }

  async #beat(): Promise<void> {
    try {
      if (await this.#graphs.renew(this.graph, this.generation, leaseMs)) {
        this.#endsAt = performance.now() + leaseMs;
      } else this.#lose();
    } catch (error) {
      this.#logger.warn('a lease of a graph could not be renewed', { error: String(error) });
      if (performance.now() >= this.#endsAt) this.#lose();
    }
  }

  #lose(): void {
    this.stopRenewal();
    this.#lost.abort(leaseLost(this.graph));
  }
}

export function leaseLost(graph: string): TroveError {
  return new TroveError(
    'graph_busy',
    `The graph ${graph} was left alone for so long that another process may change it now`,
  );
}
