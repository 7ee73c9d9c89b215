import type { RecordKey, SourceRecord } from '@trove/core';

import { recordOf } from '../record.js';
import type { Bound } from './bound.js';
import type { Dialect, SqlColumn } from './dialect.js';
import type { Row } from './driver.js';

/** How the rows of a relation are selected, and made records of. */
export class Shape<C extends SqlColumn> {
  readonly columns: readonly C[];
  readonly #shown: readonly C[];
  readonly #dialect: Dialect<C>;

  constructor(dialect: Dialect<C>, columns: readonly C[]) {
    this.columns = columns;
    this.#shown = columns.filter((column) => dialect.isShown(column));
    this.#dialect = dialect;
  }

  /** The columns, called `c0`, `c1` …: names of any kind are no trouble from there on. */
  get named(): string {
    return this.columns.map(({ name }, at) => `${this.#dialect.quoted(name)} as c${at}`).join(', ');
  }

  /** Expressions for the values that are shown, over columns that are so called. */
  get values(): string[] {
    return this.#shown.map((column) => this.#shownSql(column, this.sqlOf(column)));
  }

  /** What a column is called among these. */
  sqlOf(column: C): string {
    return `c${this.columns.indexOf(column)}`;
  }

  /** Whether a value, as it is shown, contains the text. */
  holds(sqlOf: (column: C) => string, bound: Bound, text: string): string {
    const each = this.#shown.map((column) =>
      this.#dialect.holds(this.#shownSql(column, sqlOf(column)), bound.bind(text)),
    );
    return each.length === 0 ? 'false' : `(${each.join(' or ')})`;
  }

  /** A record of the first columns of a row. */
  recordOf(key: RecordKey, row: Row): SourceRecord {
    const values = this.#shown.map((column, at) => {
      const text = row[at] ?? null;
      const value = text === null ? null : this.#dialect.shown(column, '', 1).read(text);
      return [column.name, value] as const;
    });
    return recordOf(key, values);
  }

  #shownSql(column: C, sql: string): string {
    return this.#dialect.shown(column, sql, this.#shown.length).sql;
  }
}
