/** The period of observation. Older samples are dropped, because objects differ in size. */
const windowMs = 60_000;
/** Estimates from a shorter time vary too much. */
const minObservedMs = 5000;

interface Sample {
  readonly at: number;
  readonly done: number;
}

/** Estimates the time left from the objects that were done in the last minute. */
export class TimeLeft {
  #samples: Sample[] = [];

  /** `now` in milliseconds. Returns milliseconds, or null while too little is known. */
  estimate(done: number, total: number, now: number): number | null {
    this.#samples.push({ at: now, done });
    const recent = this.#samples.filter(({ at }) => now - at <= windowMs);
    this.#samples = recent;
    const [first] = recent;
    if (first === undefined || now - first.at < minObservedMs || done <= first.done) return null;
    return ((total - done) * (now - first.at)) / (done - first.done);
  }

  /** Drops all samples, for example when another phase starts. */
  reset(): void {
    this.#samples = [];
  }
}
