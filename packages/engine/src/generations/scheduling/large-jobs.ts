import {
  ClockToken,
  inject,
  injectable,
  MetadataStoreToken,
  createToken,
  type Clock,
} from '@trove/core/di';
import type { JobRecord } from '@trove/core/store';
import { systemClock } from './clock.js';

/** A job with this many new chunks is a load: the index may skip its rows until the job ends. */
const minChunks = 500;
/** How long the list of running jobs is reused. */
const maxAgeMs = 250;

type Job = Pick<JobRecord, 'id' | 'chunks' | 'summaries'>;

export function isLarge({ chunks, summaries }: Job): boolean {
  return chunks + summaries >= minChunks;
}

/** The part of a metadata store that the service uses. */
export interface RunningJobs {
  readonly jobs: { running(): Promise<readonly Job[]> };
}

/** The token of `LargeJobs` in an engine's container. */
export const LargeJobsToken = createToken<LargeJobs>('engine.large_jobs');

/** Lists the large jobs that run in any process. */
@injectable()
export class LargeJobs {
  readonly #store: RunningJobs;
  readonly #clock: Pick<Clock, 'now'>;
  #latest: { readonly readAt: number; readonly ids: Promise<readonly string[]> } | null = null;

  constructor(
    @inject(MetadataStoreToken) store: RunningJobs,
    @inject(ClockToken) clock: Pick<Clock, 'now'> = systemClock,
  ) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns their ids, up to 250 ms old. Returns none when the store fails, because searches must not skip rows then. */
  running(): Promise<readonly string[]> {
    const now = this.#clock.now();
    if (this.#latest === null || now - this.#latest.readAt >= maxAgeMs)
      this.#latest = { readAt: now, ids: this.#read() };
    return this.#latest.ids;
  }

  /** Discards the list. Call it when a job has ended. */
  invalidate(): void {
    this.#latest = null;
  }

  async #read(): Promise<readonly string[]> {
    const jobs = await this.#store.jobs.running().catch((): readonly Job[] => []);
    return jobs.filter(isLarge).map(({ id }) => id);
  }
}
