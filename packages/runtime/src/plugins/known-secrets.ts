import { redact } from './redact.js';

const maxClosed = 100;
/** Longer secrets are forgotten when the plugin closes. */
const maxClosedChars = 10_000;

/** Knows the secrets of all open plugins, and of recently closed ones, whose timers may still throw. */
export class KnownSecrets {
  readonly #open = new Set<readonly string[]>();
  readonly #closed: (readonly string[])[] = [];

  /** Adds secrets. The returned function is called when the plugin closes. */
  add(traces: readonly string[]): () => void {
    this.#open.add(traces);
    return () => this.#close(traces);
  }

  /** Removes all known secrets from a text. */
  redact(text: string): string {
    const traces = [...this.#open, ...this.#closed].flat();
    return redact(
      text,
      [...new Set(traces)].sort((a, b) => b.length - a.length),
    );
  }

  #close(traces: readonly string[]): void {
    if (!this.#open.delete(traces) || traces.length === 0) return;
    if (traces.reduce((sum, { length }) => sum + length, 0) > maxClosedChars) return;
    this.#closed.push(traces);
    if (this.#closed.length > maxClosed) this.#closed.shift();
  }
}
