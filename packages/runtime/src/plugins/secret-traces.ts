import { tracesOf } from './redact.js';

/** More tokens than this are not met in one message: those handed out first are forgotten. */
const mostHandedOut = 20;

/** The forms in which the secrets of a plugin could appear in messages. Those that hold `traces` see what is added. */
export class SecretTraces {
  /** Longest first. */
  readonly traces: string[];
  #first: readonly string[];
  #handedOut: readonly string[] = [];

  constructor(traces: readonly string[]) {
    this.#first = traces;
    this.traces = [...traces];
  }

  /** What is known from the beginning. */
  addAll(secrets: readonly string[]): void {
    this.#first = [...this.#first, ...tracesOf(secrets)];
    this.#renew();
  }

  /** A token that was just handed out. */
  add(secret: string): void {
    if (this.#handedOut.includes(secret)) return;
    this.#handedOut = [...this.#handedOut, secret].slice(-mostHandedOut);
    this.#renew();
  }

  #renew(): void {
    const all = new Set([...this.#first, ...tracesOf(this.#handedOut)]);
    const sorted = [...all].sort((a, b) => b.length - a.length);
    this.traces.splice(0, this.traces.length, ...sorted);
  }
}
