import type { SqlDialect, SqlColumn } from './dialect.js';

/** The texts that a statement is given, in the order in which they appear in it. */
export class BoundParameters {
  readonly values: (string | null)[] = [];
  readonly #dialect: Pick<SqlDialect<SqlColumn>, 'placeholder'>;

  constructor(dialect: Pick<SqlDialect<SqlColumn>, 'placeholder'>) {
    this.#dialect = dialect;
  }

  /** What stands for the text in the statement. */
  bind(value: string | null): string {
    this.values.push(value);
    return this.#dialect.placeholder(this.values.length);
  }
}
