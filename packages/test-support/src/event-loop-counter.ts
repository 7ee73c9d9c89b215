/** Counts the turns of the event loop: how often others could have done something, however long it took. */
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
