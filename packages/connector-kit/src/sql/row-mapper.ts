import type { RecordKey, SourceRecord } from '@trove/core';

import { recordOf } from '../record.js';
import type { BoundParameters } from './bound-parameters.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow } from './driver.js';

/** How the rows of a relation are selected, and made records of. */
export class RowMapper<C extends SqlColumn> {
  readonly columns: readonly C[];
  readonly #shown: readonly C[];
  readonly #dialect: SqlDialect<C>;

  constructor(dialect: SqlDialect<C>, columns: readonly C[]) {
    this.columns = columns;
    this.#shown = columns.filter((column) => dialect.isShown(column));
    this.#dialect = dialect;
  }

  /** The columns, called `c0`, `c1` …: names of any kind are no trouble from there on. */
  get aliasedColumns(): string {
    return this.columns.map(({ name }, at) => `${this.#dialect.quote(name)} as c${at}`).join(', ');
  }

  /** Expressions for the values that are shown, over columns that are so called. */
  get values(): string[] {
    return this.#shown.map((column) => this.#shownSql(column, this.aliasOf(column)));
  }

  /** What a column is called among these. */
  aliasOf(column: C): string {
    return `c${this.columns.indexOf(column)}`;
  }

  /** Whether a value, as it is shown, contains the text. */
  contains(sqlOf: (column: C) => string, bound: BoundParameters, text: string): string {
    const each = this.#shown.map((column) =>
      this.#dialect.contains(this.#shownSql(column, sqlOf(column)), bound.bind(text)),
    );
    return each.length === 0 ? 'false' : `(${each.join(' or ')})`;
  }

  /** A record of the first columns of a row. */
  recordOf(key: RecordKey, row: SqlRow): SourceRecord {
    const values = this.#shown.map((column, at) => {
      const text = row[at] ?? null;
      const value = text === null ? null : this.#dialect.valueExpression(column, '', 1).parse(text);
      return [column.name, value] as const;
    });
    return recordOf(key, values);
  }

  #shownSql(column: C, sql: string): string {
    return this.#dialect.valueExpression(column, sql, this.#shown.length).sql;
  }
}
