/** The other cases of a character that match. */
export type Folding = 'none' | 'unicode' | 'ascii';

/** A parsed regular expression. */
export type RegexNode =
  | Characters
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegexNode[] }
  | {
      readonly kind: 'repetition';
      readonly part: RegexNode;
      readonly min: number;
      /** Null: unbounded. */
      readonly max: number | null;
      readonly greedy: boolean;
    }
  | { readonly kind: 'look'; readonly opening: LookOpening; readonly part: RegexNode };

/** One character from a set. */
export interface Characters {
  readonly kind: 'characters';
  /** A class for JavaScript's `v` mode, in brackets. */
  readonly set: string;
  /** The only character, if it was written as a literal. */
  readonly literal: string | null;
  readonly folding: Folding;
}

export type LookOpening = '(?=' | '(?!' | '(?<=' | '(?<!';

/** The flags in effect at a position in a pattern. */
export interface Flags {
  ignoreCase: boolean;
  /** Repetitions are lazy unless followed by `?`. */
  swapGreed: boolean;
  unicode: boolean;
  /** White space and comments are ignored. */
  extended: boolean;
}

/** Escapes a character for any position in a JavaScript pattern, including classes. */
export function escapeCharacter(char: string): string {
  return /[a-z0-9]/i.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Returns the set of word characters, for `\w` and `\b`. */
export function wordSet(unicode: boolean): string {
  return unicode ? '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]' : '[0-9A-Za-z_]';
}
