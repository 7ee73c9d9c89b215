/** Remembered addresses per allowed page, because many addresses are not pages. */
const addressesPerPage = 5;

/** The remaining budget of a listing, for all hosts of the source together. */
export class PageBudget {
  readonly #maxPages: number;
  #pages = 0;
  #addresses = 0;

  constructor(maxPages: number) {
    this.#maxPages = maxPages;
  }

  get isSpent(): boolean {
    return this.#pages >= this.#maxPages;
  }

  /** Whether more addresses may be remembered. */
  get hasRoom(): boolean {
    return this.#addresses < this.#maxPages * addressesPerPage + 1000;
  }

  takePage(): void {
    this.#pages++;
  }

  addAddress(): void {
    this.#addresses++;
  }
}
