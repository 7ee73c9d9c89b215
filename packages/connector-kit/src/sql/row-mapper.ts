import type { RecordKey, SourceRecord } from '@trove/core';

import { recordOf } from '../record.js';
import type { BoundParameters } from './bound-parameters.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow } from './driver.js';

/** Selects the columns of a table and turns its rows into records. */
export class RowMapper<C extends SqlColumn> {
  readonly columns: readonly C[];
  readonly #shown: readonly C[];
  readonly #dialect: SqlDialect<C>;

  constructor(dialect: SqlDialect<C>, columns: readonly C[]) {
    this.columns = columns;
    this.#shown = columns.filter((column) => dialect.isShown(column));
    this.#dialect = dialect;
  }

  /** A select list with the aliases `c0`, `c1` …, which outer queries use instead of quoted names. */
  get aliasedColumns(): string {
    return this.columns.map(({ name }, at) => `${this.#dialect.quote(name)} as c${at}`).join(', ');
  }

  /** Expressions for the shown values over these aliases. */
  get values(): string[] {
    return this.#shown.map((column) => this.#shownSql(column, this.aliasOf(column)));
  }

  /** Returns the alias of a column. */
  aliasOf(column: C): string {
    return `c${this.columns.indexOf(column)}`;
  }

  /** Returns a condition for rows with a shown value that contains the text. */
  contains(sqlOf: (column: C) => string, parameters: BoundParameters, text: string): string {
    const conditions = this.#shown.map((column) =>
      this.#dialect.contains(this.#shownSql(column, sqlOf(column)), parameters.bind(text)),
    );
    return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`;
  }

  /** Creates a record from the first columns of a row. */
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
