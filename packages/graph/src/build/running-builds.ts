/** The progress of a build. */
export interface BuildProgress {
  readonly startedAt: Date;
  /** Processed passages. */
  passages: number;
  /** Number of passages; null until it is known. */
  readonly total: number | null;
}

/** The running builds of this process, by graph. */
export class RunningBuilds {
  readonly #running = new Map<string, BuildProgress>();

  of(graph: string): BuildProgress | null {
    return this.#running.get(graph) ?? null;
  }

  /** Tracks a build while it runs. The caller holds the lease of the graph. */
  async track<T>(
    graph: string,
    total: number | null,
    work: (progress: BuildProgress) => Promise<T>,
  ): Promise<T> {
    const progress = { startedAt: new Date(), passages: 0, total };
    this.#running.set(graph, progress);
    try {
      return await work(progress);
    } finally {
      this.#running.delete(graph);
    }
  }
}
