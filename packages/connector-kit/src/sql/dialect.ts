import type { JsonScalar } from '@trove/core';

export interface SqlColumn {
  readonly name: string;
}

/** Selects a value as text and parses that text. */
export interface ValueExpression {
  /** An expression for a text or null. */
  readonly sql: string;
  readonly parse: (text: string) => unknown;
}

/** Like `ValueExpression`, for a value in a key. */
export interface KeyExpression extends ValueExpression {
  readonly parse: (text: string) => JsonScalar;
}

/** Describes one page of a table. */
export interface PageQuery {
  readonly from: string;
  readonly where: string;
  /** The quoted columns of the key. */
  readonly order: readonly string[];
  /** The indexes of these columns among all columns. */
  readonly orderIndexes: readonly number[];
  /** A select list of all columns with the aliases `c0`, `c1` … */
  readonly aliasedColumns: string;
  /** An expression for the approximate bytes of a row, above 0. */
  readonly bytes: string;
  readonly rows: number;
  /** The selected expressions over these aliases. */
  readonly selected: readonly string[];
}

/** The SQL of one database. A parameter `sql` is an expression for the value of the column. */
export interface SqlDialect<C extends SqlColumn> {
  quote(name: string): string;
  /** Returns the placeholder of a text parameter. Numbers start at 1 and follow the order of the statement. */
  placeholder(number: number): string;
  isShown(column: C): boolean;
  /** `columns` is the number of columns in a record. */
  valueExpression(column: C, sql: string, columns: number): ValueExpression;
  keyExpression(column: C, sql: string): KeyExpression;
  /** Returns a condition for a shown value that contains the literal text. It is never null. */
  contains(shown: string, placeholder: string): string;
  /** Returns a condition for a value that is shown as the text. It can use an index. */
  equals(column: C, sql: string, placeholder: string): string;
  /** Returns an expression that compares values of the key in the order of the index. */
  comparable(column: C, sql: string): string;
  /** Returns an expression for the lossless text of such a value. `positionValue` turns the text back into the value. */
  positionText(column: C, sql: string): string;
  positionValue(column: C, placeholder: string): string;
  /** Returns a condition for rows after a position. `values` binds the value of a column anew on each call. */
  isAfter(columns: readonly string[], values: (at: number) => string): string;
  bytesOf(column: C, sql: string): string;
  /**
   * Returns a statement for as many rows as fit into the bytes, but at least one. Its last column is the running total of
   * bytes.
   */
  pageQuery(query: PageQuery, maxBytes: number): string;
  /** Returns an expression for the digest of the columns `c0`, `c1` … of the table `part`. */
  digest(columns: number): string;
  /** Returns whether values of the column can identify rows and be compared by `group by`. */
  mayIdentify(column: C): boolean;
  /** Returns whether a statement exceeded its time limit. */
  isTimeout(error: unknown): boolean;
  /** Returns whether a statement failed because a text is not a valid value of its column. */
  isInvalidValue(error: unknown): boolean;
}
