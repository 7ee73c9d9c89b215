/** Of addresses that are not pages, for each page that is wanted. */
const addressesPerPage = 5;

/** How much a listing may still take, from all hosts of the source together. */
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
