import type { JobQueue, JobRecord } from '@trove/core';

/** From this many new chunks on, a job is a load: the index may leave out its rows until the job ends. */
const manyChunks = 500;
/** How long a list of the running ones is used. In the process that ends a job, it is made anew at once. */
const recentMs = 250;

export function isLarge({ chunks, summaries }: Pick<JobRecord, 'chunks' | 'summaries'>): boolean {
  return chunks + summaries >= manyChunks;
}

/** Knows which large jobs are running, in whichever process. */
export class LargeJobs {
  readonly #store: Pick<JobQueue, 'runningJobs'>;
  #ids: readonly string[] = [];
  #askedAt = -Infinity;

  constructor(store: Pick<JobQueue, 'runningJobs'>) {
    this.#store = store;
  }

  /** Their ids; none while the store does not answer, because then nothing may be left out. */
  async running(): Promise<readonly string[]> {
    if (performance.now() - this.#askedAt < recentMs) return this.#ids;
    const asked = performance.now();
    const jobs = await this.#store.runningJobs().catch(() => []);
    this.#ids = jobs.filter(isLarge).map(({ id }) => id);
    this.#askedAt = asked;
    return this.#ids;
  }

  /** Call when a job has ended. */
  lookAgain(): void {
    this.#askedAt = -Infinity;
  }
}
