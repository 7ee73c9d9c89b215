/** How far a build is. */
export interface BuildProgress {
  readonly startedAt: Date;
  /** Passages that are worked up. */
  passages: number;
  /** How many there will be; null until it is known. */
  readonly total: number | null;
}

/** The builds that this process is at, by graph. */
export class RunningBuilds {
  readonly #running = new Map<string, BuildProgress>();

  of(graph: string): BuildProgress | null {
    return this.#running.get(graph) ?? null;
  }

  /** Runs a build of a graph that its caller holds. */
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
