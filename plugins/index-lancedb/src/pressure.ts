/** The processors count as busy after this many overlapping searches within this time. */
const highPressureSearches = 4;
const pressureWindowMs = 1000;

/** Detects when so many searches run at once that they delay each other. */
export class Pressure {
  readonly #now: () => number;
  #running = 0;
  /** Start times of the last searches that overlapped another one. */
  readonly #overlaps: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isHigh(): boolean {
    const [first] = this.#overlaps;
    return (
      first !== undefined &&
      this.#overlaps.length === highPressureSearches &&
      this.#now() - first < pressureWindowMs
    );
  }

  async during<T>(search: () => Promise<T>): Promise<T> {
    if (this.#running > 0) this.#overlaps.push(this.#now());
    if (this.#overlaps.length > highPressureSearches) this.#overlaps.shift();
    this.#running++;
    try {
      return await search();
    } finally {
      this.#running--;
    }
  }
}
