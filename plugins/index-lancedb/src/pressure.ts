/** The processors count as busy after this many overlapping searches within this time. */
const highPressureSearches = 4;
const pressureWindowMs = 1000;

/** Detects when so many searches run at once that they delay each other. */
export class Pressure {
  readonly #now: () => number;
  #running = 0;
  /** Start times of the last searches that overlapped another one. */
  readonly #met: number[] = [];

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get isHigh(): boolean {
    const [first] = this.#met;
    return (
      first !== undefined &&
      this.#met.length === highPressureSearches &&
      this.#now() - first < pressureWindowMs
    );
  }

  async during<T>(search: () => Promise<T>): Promise<T> {
    if (this.#running > 0) this.#met.push(this.#now());
    if (this.#met.length > highPressureSearches) this.#met.shift();
    this.#running++;
    try {
      return await search();
    } finally {
      this.#running--;
    }
  }
}
