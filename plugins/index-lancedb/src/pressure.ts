/** So many searches that begin during others, within so long, keep the processors busy. */
const highPressureSearches = 4;
const pressureWindowMs = 1000;

/** Knows whether so many search at once that whatever a search takes, others wait for. */
export class Pressure {
  readonly #now: () => number;
  #running = 0;
  /** When the last searches began that met another one. */
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
