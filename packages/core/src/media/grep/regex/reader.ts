import { TroveError } from '../../../errors.js';

/** Goes over a pattern, character by character. */
export class Reader {
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

  /** The character some places ahead; '' past the end. */
  peek(ahead = 0): string {
    return this.#chars[this.#at + ahead] ?? '';
  }

  next(): string {
    const char = this.peek();
    this.#at++;
    return char;
  }

  /** Passes a text when it is what comes next. */
  take(text: string): boolean {
    const chars = Array.from(text);
    if (!chars.every((char, ahead) => this.peek(ahead) === char)) return false;
    this.#at += chars.length;
    return true;
  }

  /** What an expression matches right here; '' when it does not. The look ahead is bounded. */
  takeMatch(expression: RegExp): string {
    const ahead = this.#chars.slice(this.#at, this.#at + 64).join('');
    const found = expression.exec(ahead);
    if (found === null || found.index !== 0) return '';
    this.#at += Array.from(found[0]).length;
    return found[0];
  }

  /** Goes back to a place. */
  rewind(at: number): void {
    this.#at = at;
  }

  /** The pattern since a place, shortened: to name a construct. */
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

export function refused(reason: string, suggestion?: string): TroveError {
  return new TroveError('validation_error', `pattern: ${reason}`, {
    suggestions: [
      suggestion ?? 'Correct the regular expression, or search for it literally, without `regex`.',
    ],
  });
}
