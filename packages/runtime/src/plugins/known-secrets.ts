import { redact } from './redact.js';

const maxClosed = 100;
/** Not worth remembering for longer than the plugin is open. */
const maxClosedChars = 10_000;

/** The secrets of all open plugins, and of those closed last, whose timers may still throw. */
export class KnownSecrets {
  readonly #open = new Set<readonly string[]>();
  readonly #closed: (readonly string[])[] = [];

  /** Until the returned function is called, when the plugin is closed. */
  add(traces: readonly string[]): () => void {
    this.#open.add(traces);
    return () => this.#close(traces);
  }

  /** A text without any of them. */
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
