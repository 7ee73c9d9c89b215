/** Which other cases of a character match, too. */
export type Folding = 'none' | 'unicode' | 'ascii';

/** A regular expression, taken apart. */
export type Syntax =
  | Characters
  | { readonly kind: 'assertion'; readonly source: string }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Syntax[] }
  | {
      readonly kind: 'repetition';
      readonly part: Syntax;
      readonly least: number;
      /** Null: without end. */
      readonly most: number | null;
      readonly greedy: boolean;
    }
  | { readonly kind: 'look'; readonly opening: LookOpening; readonly part: Syntax };

/** One character out of a set. */
export interface Characters {
  readonly kind: 'characters';
  /** A class of JavaScript's `v` mode, in brackets. */
  readonly set: string;
  /** The only character in it, when it was written as one. */
  readonly literal: string | null;
  readonly folding: Folding;
}

export type LookOpening = '(?=' | '(?!' | '(?<=' | '(?<!';

/** The flags that hold at a place in a pattern. */
export interface Flags {
  ignoreCase: boolean;
  /** Repetitions are lazy unless they say `?`. */
  swapGreed: boolean;
  unicode: boolean;
  /** White space and comments mean nothing. */
  extended: boolean;
}

/** One character as JavaScript takes it anywhere in a pattern, in classes too. */
export function escapedCharacter(char: string): string {
  return /[a-z0-9]/i.test(char) ? char : `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** What a word is made of, for `\w` and `\b`. */
export function wordSet(unicode: boolean): string {
  return unicode ? '[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]' : '[0-9A-Za-z_]';
}
