import { recordOf } from '@trove/connector-kit';
import type { RecordKey, SourceRecord } from '@trove/core';

import type { Column } from './columns.js';
import type { Row } from './connection.js';
import { quoted } from './names.js';
import { isShown, shown } from './values.js';

/** How the rows of a relation are selected, and made records of. */
export class Shape {
  readonly columns: readonly Column[];
  readonly #shown: readonly Column[];

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.#shown = columns.filter(isShown);
  }

  /** The columns, called `c0`, `c1` …: names of any kind, and of any number alike, are no trouble from there on. */
  get named(): string {
    return this.columns.map(({ name }, at) => `${quoted(name)} as c${at}`).join(', ');
  }

  /** Expressions for the values that are shown, over columns that are so called. */
  get values(): string[] {
    return this.#shown.map((column) => {
      return shown(column.base, `c${this.columns.indexOf(column)}`, this.#shown.length).sql;
    });
  }

  /** Whether a value, as it is shown, contains the text that a parameter holds. */
  holds(sqlOf: (column: Column) => string, parameter: string): string {
    const each = this.#shown.map((column) => {
      const { sql } = shown(column.base, sqlOf(column), this.#shown.length);
      return `coalesce(strpos(${sql} collate "C", ${parameter}::text) > 0, false)`;
    });
    return each.length === 0 ? 'false' : `(${each.join(' or ')})`;
  }

  /** A record of the first columns of a row. */
  recordOf(key: RecordKey, row: Row): SourceRecord {
    const values = this.#shown.map(({ name, base }, at) => {
      const text = row[at] ?? null;
      return [name, text === null ? null : shown(base, '', 1).read(text)] as const;
    });
    return recordOf(key, values);
  }
}
