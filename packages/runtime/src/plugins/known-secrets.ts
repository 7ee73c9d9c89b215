import { redact } from './redact.js';

const maxClosed = 100;
/** Longer secrets are forgotten when the plugin closes. */
const maxClosedChars = 10_000;

/** Knows the secrets of all open plugins, and of recently closed ones, whose timers may still throw. */
export class KnownSecrets {
  readonly #open = new Set<readonly string[]>();
  readonly #closed: (readonly string[])[] = [];

  /** Adds the variants of secrets. Call the returned function when the plugin closes. */
  add(variants: readonly string[]): () => void {
    this.#open.add(variants);
    return () => this.#close(variants);
  }

  /** Removes all known secrets from a text. */
  redact(text: string): string {
    const variants = [...this.#open, ...this.#closed].flat();
    return redact(
      text,
      [...new Set(variants)].sort((a, b) => b.length - a.length),
    );
  }

  #close(variants: readonly string[]): void {
    if (!this.#open.delete(variants) || variants.length === 0) return;
    if (variants.reduce((sum, { length }) => sum + length, 0) > maxClosedChars) return;
    this.#closed.push(variants);
    if (this.#closed.length > maxClosed) this.#closed.shift();
  }
}
