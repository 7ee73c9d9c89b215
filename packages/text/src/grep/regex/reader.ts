import { TroveError } from '@trove/core';

/** Reads a pattern character by character. */
export class PatternReader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#chars = Array.from(pattern);
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** Returns the character this many positions ahead. '' past the end. */
  peek(ahead = 0): string {
    return this.#chars[this.#at + ahead] ?? '';
  }

  next(): string {
    const char = this.peek();
    this.#at++;
    return char;
  }

  /** Consumes a text if it is next. */
  take(text: string): boolean {
    const chars = Array.from(text);
    if (!chars.every((char, ahead) => this.peek(ahead) === char)) return false;
    this.#at += chars.length;
    return true;
  }

  /**
   * Consumes and returns the match of an expression at this position. '' for no match. Looks at most 64 characters
   * ahead.
   */
  takeMatch(expression: RegExp): string {
    const ahead = this.#chars.slice(this.#at, this.#at + 64).join('');
    const found = expression.exec(ahead);
    if (found === null || found.index !== 0) return '';
    this.#at += Array.from(found[0]).length;
    return found[0];
  }

  /** Moves back to a position. */
  rewind(at: number): void {
    this.#at = at;
  }

  /** Returns the pattern since a position, shortened for messages. */
  since(at: number): string {
    return this.#chars.slice(at, Math.min(this.#at, at + 24)).join('');
  }

  skipWhiteSpace(): void {
    while (!this.isAtEnd) {
      if (/[\s\u0085\u200e\u200f]/u.test(this.peek())) this.#at++;
      else if (this.peek() === '#') {
        while (!this.isAtEnd && this.peek() !== '\n') this.#at++;
      } else return;
    }
  }
}

export function patternError(reason: string, suggestion?: string): TroveError {
  return new TroveError('validation_error', `pattern: ${reason}`, {
    suggestions: [
      suggestion ?? 'Correct the regular expression, or search for it literally, without `regex`.',
    ],
  });
}
