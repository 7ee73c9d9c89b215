import type { SqlDialect, SqlColumn } from './dialect.js';

/** Collects the parameters of a statement in the order of their placeholders. */
export class BoundParameters {
  readonly values: (string | null)[] = [];
  readonly #dialect: Pick<SqlDialect<SqlColumn>, 'placeholder'>;

  constructor(dialect: Pick<SqlDialect<SqlColumn>, 'placeholder'>) {
    this.#dialect = dialect;
  }

  /** Adds a parameter and returns its placeholder. */
  bind(value: string | null): string {
    this.values.push(value);
    return this.#dialect.placeholder(this.values.length);
  }
}
