import {
  isTroveError,
  locatorKey,
  type JsonScalar,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';

import { isShortened } from '../keys.js';
import { maxBatchBytes } from '../limits.js';
import { BoundParameters } from './bound-parameters.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow } from './driver.js';
import { RowMapper } from './row-mapper.js';

/** The key of a row as lossless texts, after which the next page starts. */
type KeyPosition = readonly (string | null)[];

interface RowPage {
  readonly records: readonly SourceRecord[];
  readonly last: KeyPosition | null;
  /** Whether no row follows. */
  readonly isLast: boolean;
}

/** The matches in one range of rows. */
interface SearchPage {
  readonly positions: readonly KeyPosition[];
  /** The end of the range, or null if no row follows. */
  readonly last: KeyPosition | null;
}

const minPageRows = 16;
const maxPageRows = 1000;
/** The rows that one search statement scans. */
const rowsPerSearch = 20_000;
const maxMatchesPerPage = 50;
/** The memory of an empty row. */
const minRowBytes = '16';

export interface SqlTable<C extends SqlColumn> {
  /** The qualified and quoted name. */
  readonly from: string;
  readonly columns: readonly C[];
}

/**
 * Reads a table with a key in pages. Each page is a statement that starts after the last key, so no snapshot or lock is held
 * between pages.
 */
export class KeyedRows<C extends SqlColumn> {
  readonly #connection: SqlConnection;
  readonly #dialect: SqlDialect<C>;
  readonly #signal: AbortSignal;
  readonly #table: string;
  readonly #key: readonly C[];
  readonly #shape: RowMapper<C>;
  /** The columns of the key, in SQL. */
  readonly #order: readonly string[];

  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    { from, columns }: SqlTable<C>,
    key: readonly C[],
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#signal = signal;
    this.#table = from;
    this.#key = key;
    this.#shape = new RowMapper(dialect, columns);
    this.#order = key.map(({ name }) => dialect.quote(name));
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    const after = offset === 0 ? null : await this.#placeAfter(offset);
    if (offset === 0 || after !== null) yield* this.#from(after, limit, () => '1 = 1');
  }

  /** Yields the rows of a condition, which binds its parameters. */
  where(condition: (bound: BoundParameters) => string): AsyncGenerator<SourceRecord> {
    return this.#from(null, Infinity, condition);
  }

  async *#from(
    place: KeyPosition | null,
    limit: number,
    condition: (bound: BoundParameters) => string,
  ): AsyncGenerator<SourceRecord> {
    let after = place;
    let left = limit;
    let wanted = minPageRows;
    while (left > 0) {
      const bound = this.#bound();
      const where = `${this.#after(after, bound)} and ${condition(bound)}`;
      const page: RowPage = await this.#page(where, bound, Math.min(wanted, left));
      yield* page.records;
      if (page.isLast) return;
      after = page.last;
      left -= page.records.length;
      wanted = Math.min(maxPageRows, wanted * 2);
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const bound = this.#bound();
    const conditions = this.#key.map((column, at) => {
      const value = key[column.name] ?? null;
      const sql = this.#order[at] ?? '';
      if (value === null) return 'false';
      const placeholder = bound.bind(String(value));
      return isShortened(value)
        ? `${this.#dialect.keyExpression(column, sql).sql} = ${placeholder}`
        : this.#dialect.equals(column, sql, placeholder);
    });
    const wanted = locatorKey(key);
    try {
      const { records } = await this.#page(conditions.join(' and '), bound, maxPageRows);
      yield* records.filter((record) => locatorKey(record.key) === wanted);
    } catch (error) {
      if (!isTroveError(error) || !this.#dialect.isInvalidValue(error.cause)) throw error;
    }
  }

  async *matches(text: string): AsyncGenerator<SourceRecord> {
    let after: KeyPosition | null = null;
    do {
      const { positions: places, last }: SearchPage = await this.#search(text, after);
      for (let at = 0; at < places.length; at += maxMatchesPerPage)
        yield* this.#at(places.slice(at, at + maxMatchesPerPage));
      after = last;
    } while (after !== null);
  }

  /** Searches the next range of rows. */
  async #search(text: string, after: KeyPosition | null): Promise<SearchPage> {
    const bound = this.#bound();
    const part = this.#key.map((_, at) => `k${at}`);
    const texts = this.#key.map((column, at) => this.#dialect.positionText(column, part[at] ?? ''));
    const keys = this.#order.map((sql, at) => `${sql} as k${at}`).join(', ');
    const holds = this.#shape.contains(({ name }) => this.#dialect.quote(name), bound, text);
    const sql = `select ${texts.join(', ')}, hit, nth from (
      select part.*, row_number() over (order by ${part.join(', ')}) as nth, count(*) over () as met from (
        select ${keys}, case when ${holds} then 1 else 0 end as hit from ${this.#table}
        where ${this.#after(after, bound)}
        order by ${this.#order.join(', ')} limit ${rowsPerSearch}) part) found
      where hit = 1 or nth = met order by nth`;
    const rows = await this.#all(sql, bound);
    const last = rows.at(-1);
    return {
      positions: rows.filter((row) => row.at(-2) === '1').map((row) => row.slice(0, -2)),
      last: Number(last?.at(-1)) < rowsPerSearch ? null : (last?.slice(0, -2) ?? null),
    };
  }

  /** Yields the rows at these positions, ordered by key. */
  async *#at(places: readonly KeyPosition[]): AsyncGenerator<SourceRecord> {
    const comparable = this.#comparable().join(', ');
    let last: KeyPosition | null = null;
    for (;;) {
      const bound = this.#bound();
      const beyond = this.#after(last, bound);
      const tuples = places.map((place) => {
        const values = this.#key.map((column, at) =>
          this.#dialect.positionValue(column, bound.bind(place[at] ?? null)),
        );
        return `(${values.join(', ')})`;
      });
      const where = `${beyond} and (${comparable}) in (${tuples.join(', ')})`;
      const page: RowPage = await this.#page(where, bound, places.length);
      yield* page.records;
      if (page.isLast || page.records.length === places.length) return;
      last = page.last;
    }
  }

  /** Reads rows of a condition in the order of their keys, up to the limits of rows and bytes. */
  async #page(where: string, bound: BoundParameters, wanted: number): Promise<RowPage> {
    const { columns, values, aliasedColumns: named } = this.#shape;
    const parts = this.#key.map((column) => this.#shape.aliasOf(column));
    const bytes = columns.map((column) =>
      this.#dialect.bytesOf(column, this.#dialect.quote(column.name)),
    );
    const part = {
      from: this.#table,
      where,
      order: this.#order,
      orderIndexes: this.#key.map((column) => columns.indexOf(column)),
      aliasedColumns: named,
      bytes: [minRowBytes, ...bytes].join(' + '),
      rows: wanted,
      selected: [
        ...values,
        ...this.#key.map((column, at) => this.#dialect.keyExpression(column, parts[at] ?? '').sql),
        ...this.#key.map((column, at) => this.#dialect.positionText(column, parts[at] ?? '')),
      ],
    };
    const rows = await this.#all(this.#dialect.pageQuery(part, maxBatchBytes), bound);
    const last = rows.at(-1);
    const isWhole = last === undefined || Number(last.at(-1)) < maxBatchBytes;
    return {
      records: rows.map((row) => this.#recordOf(row, values.length)),
      last: last?.slice(-1 - parts.length, -1) ?? null,
      isLast: rows.length < wanted && isWhole,
    };
  }

  async #placeAfter(rows: number): Promise<KeyPosition | null> {
    const texts = this.#key.map((column, at) =>
      this.#dialect.positionText(column, this.#order[at] ?? ''),
    );
    const named = texts.map((sql, at) => `${sql} as k${at}`).join(', ');
    const sql = `select ${named} from ${this.#table}
      order by ${this.#order.join(', ')} limit 1 offset ${rows - 1}`;
    const [row] = await this.#all(sql, this.#bound());
    return row ?? null;
  }

  /** `from` is the index of the first key value in the row. */
  #recordOf(row: SqlRow, from: number): SourceRecord {
    const key: Record<string, JsonScalar> = {};
    for (const [at, column] of this.#key.entries()) {
      const text = row[from + at] ?? null;
      key[column.name] = text === null ? null : this.#dialect.keyExpression(column, '').parse(text);
    }
    return this.#shape.recordOf(key, row);
  }

  /** Returns the condition for rows after a position, or for all rows if it is null. */
  #after(place: KeyPosition | null, bound: BoundParameters): string {
    if (place === null) return '1 = 1';
    return this.#dialect.isAfter(this.#comparable(), (at) => {
      const column = this.#key[at];
      const placeholder = bound.bind(place[at] ?? null);
      return column === undefined ? placeholder : this.#dialect.positionValue(column, placeholder);
    });
  }

  #comparable(): string[] {
    return this.#key.map((column, at) => this.#dialect.comparable(column, this.#order[at] ?? ''));
  }

  #bound(): BoundParameters {
    return new BoundParameters(this.#dialect);
  }

  #all(sql: string, { values }: BoundParameters): Promise<SqlRow[]> {
    return this.#connection.transaction(this.#signal, (session) => session.all(sql, values));
  }
}
