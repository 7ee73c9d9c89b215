import { variantsOf } from './redact.js';

/** More tokens than this are not met in one message: those handed out first are forgotten. */
const maxHandedOut = 20;

/** The forms in which the secrets of a plugin could appear in messages. Those that hold `traces` see what is added. */
export class SecretVariants {
  /** Longest first. */
  readonly variants: string[];
  #first: readonly string[];
  #handedOut: readonly string[] = [];

  constructor(traces: readonly string[]) {
    this.#first = traces;
    this.variants = [...traces];
  }

  /** What is known from the beginning. */
  addAll(secrets: readonly string[]): void {
    this.#first = [...this.#first, ...variantsOf(secrets)];
    this.#renew();
  }

  /** A token that was just handed out. */
  add(secret: string): void {
    if (this.#handedOut.includes(secret)) return;
    this.#handedOut = [...this.#handedOut, secret].slice(-maxHandedOut);
    this.#renew();
  }

  #renew(): void {
    const all = new Set([...this.#first, ...variantsOf(this.#handedOut)]);
    const sorted = [...all].sort((a, b) => b.length - a.length);
    this.variants.splice(0, this.variants.length, ...sorted);
  }
}
