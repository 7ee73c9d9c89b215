import { variantsOf } from './redact.js';

/** Maximum number of remembered tokens. The oldest are forgotten first. */
const maxHandedOut = 20;

/**
 * The variants of a plugin's secrets that could appear in messages. Holders of the array `variants` see
 * additions.
 */
export class SecretVariants {
  /** Longest first. */
  readonly variants: string[];
  #first: readonly string[];
  #handedOut: readonly string[] = [];

  constructor(variants: readonly string[]) {
    this.#first = variants;
    this.variants = [...variants];
  }

  /** Adds secrets that are never forgotten. */
  addAll(secrets: readonly string[]): void {
    this.#first = [...this.#first, ...variantsOf(secrets)];
    this.#renew();
  }

  /** Adds a token that was handed out. */
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
