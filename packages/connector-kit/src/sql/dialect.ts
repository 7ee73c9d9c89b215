import type { JsonScalar } from '@trove/core';

export interface SqlColumn {
  readonly name: string;
}

/** How values are shown. */
export interface ValueExpression {
  /** A text, or null. */
  readonly sql: string;
  readonly parse: (text: string) => unknown;
}

/** How values are shown that are a part of a key. */
export interface KeyExpression extends ValueExpression {
  readonly parse: (text: string) => JsonScalar;
}

/** A table of which a part is to be read. */
export interface PageQuery {
  readonly from: string;
  readonly where: string;
  /** The columns of the key, in SQL. */
  readonly order: readonly string[];
  /** The places of these columns among all. */
  readonly orderIndexes: readonly number[];
  /** All columns, called `c0`, `c1` … */
  readonly aliasedColumns: string;
  /** About how many bytes a row takes; more than none. */
  readonly bytes: string;
  readonly rows: number;
  /** What is wanted of each row, over columns that are so called. */
  readonly selected: readonly string[];
}

/** How a database speaks SQL. Where `sql` is given, it is an expression for the value of the column. */
export interface SqlDialect<C extends SqlColumn> {
  quote(name: string): string;
  /** Stands for a text that is bound as the one of this number, from 1. Texts are bound in the order of the statement. */
  placeholder(number: number): string;
  isShown(column: C): boolean;
  /** `columns`: how many there are in a record. */
  valueExpression(column: C, sql: string, columns: number): ValueExpression;
  keyExpression(column: C, sql: string): KeyExpression;
  /** Whether what is shown contains a text, literally; never null. */
  contains(shown: string, placeholder: string): string;
  /** Whether a value is what is shown as the text; by an index. */
  equals(column: C, sql: string, placeholder: string): string;
  /** A value of the key so that values are compared as the index sorts them. */
  comparable(column: C, sql: string): string;
  /** The same as a text that loses nothing, and that text as a value to compare with. */
  positionText(column: C, sql: string): string;
  positionValue(column: C, placeholder: string): string;
  /** Whether a row comes after a place. `values` gives the value of each part, each time that it is asked. */
  isAfter(columns: readonly string[], values: (at: number) => string): string;
  bytesOf(column: C, sql: string): string;
  /**
   * The statement for the rows of a part that together take at most so many bytes, and always the first; the last column
   * says how many bytes it are up to there.
   */
  pageQuery(part: PageQuery, mostBytes: number): string;
  /** A digest of all columns, `c0`, `c1` …, of the table `part`. */
  digest(columns: number): string;
  /** Whether a column's values can be told apart by grouping, and identify rows. */
  mayIdentify(column: C): boolean;
  /** Whether a statement was ended because it took too long. */
  isTimeout(error: unknown): boolean;
  /** Whether a statement failed because a text cannot be a value of its column. */
  isInvalidValue(error: unknown): boolean;
}
