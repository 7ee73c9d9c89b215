import { variantsOf } from './redact.js';

/** Maximum number of remembered tokens. The oldest are forgotten first. */
const maxTokens = 20;

/**
 * The variants of a plugin's secrets that could appear in messages. Additions change the array `variants` in
 * place, because redactors keep a reference to it.
 */
export class SecretVariants {
  /** Longest first. */
  readonly variants: string[];
  #permanent: readonly string[];
  #tokens: readonly string[] = [];

  constructor(variants: readonly string[]) {
    this.#permanent = variants;
    this.variants = [...variants];
  }

  /** Adds secrets that are never forgotten. */
  addSecrets(secrets: readonly string[]): void {
    this.#permanent = [...this.#permanent, ...variantsOf(secrets)];
    this.#rebuild();
  }

  /** Adds a token that the plugin received. */
  addToken(token: string): void {
    if (this.#tokens.includes(token)) return;
    this.#tokens = [...this.#tokens, token].slice(-maxTokens);
    this.#rebuild();
  }

  #rebuild(): void {
    const all = new Set([...this.#permanent, ...variantsOf(this.#tokens)]);
    const sorted = [...all].sort((a, b) => b.length - a.length);
    this.variants.splice(0, this.variants.length, ...sorted);
  }
}
