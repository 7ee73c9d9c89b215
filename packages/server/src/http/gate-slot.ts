import type { Gate } from 'trove';

/** A slot in a gate, for work whose end is not known at its start. */
export class GateSlot {
  readonly #gate: Gate;
  readonly #signal: AbortSignal;
  #isReleased = false;
  #release = (): void => undefined;

  constructor(gate: Gate, signal: AbortSignal) {
    this.#gate = gate;
    this.#signal = signal;
  }

  /** Waits for a slot. Throws `overloaded` if too many requests wait, or the signal's reason. */
  acquire(): Promise<void> {
    return new Promise((resolve, reject) => {
      const hold = (): Promise<void> =>
        new Promise((leave) => {
          this.#release = leave;
          if (this.#isReleased) leave();
          resolve();
        });
      this.#gate.run(this.#signal, hold).catch(reject);
    });
  }

  release(): void {
    this.#isReleased = true;
    this.#release();
  }
}
