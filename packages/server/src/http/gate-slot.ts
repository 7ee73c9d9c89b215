import type { Gate } from 'trove';

/** A place in a gate, for a request whose end is not known where it begins. */
export class GateSlot {
  readonly #gate: Gate;
  readonly #signal: AbortSignal;
  #isLeft = false;
  #leave = (): void => undefined;

  constructor(gate: Gate, signal: AbortSignal) {
    this.#gate = gate;
    this.#signal = signal;
  }

  /** Waits until there is one. Throws `overloaded` when too many wait already, and the reason of the signal. */
  acquire(): Promise<void> {
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> =>
        new Promise((leave) => {
          this.#leave = leave;
          if (this.#isLeft) leave();
          resolve();
        });
      this.#gate.run(this.#signal, hold).catch(reject);
    });
  }

  release(): void {
    this.#isLeft = true;
    this.#leave();
  }
}
