/** Counts event loop turns, which shows how often other work could run. */
export class EventLoopCounter {
  #count = 0;
  #next: NodeJS.Immediate;

  constructor() {
    const turn = (): void => {
      this.#count++;
      this.#next = setImmediate(turn);
    };
    this.#next = setImmediate(turn);
  }

  end(): number {
    clearImmediate(this.#next);
    return this.#count;
  }
}
