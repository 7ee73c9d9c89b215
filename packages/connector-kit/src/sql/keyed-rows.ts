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

/** The part of a table that a statement selects. */
export interface TableColumns<C extends SqlColumn> {
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
  readonly #mapper: RowMapper<C>;
  /** The columns of the key, in SQL. */
  readonly #order: readonly string[];

  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    { from, columns }: TableColumns<C>,
    key: readonly C[],
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#signal = signal;
    this.#table = from;
    this.#key = key;
    this.#mapper = new RowMapper(dialect, columns);
    this.#order = key.map(({ name }) => dialect.quote(name));
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    const after = offset === 0 ? null : await this.#positionAfter(offset);
    if (offset === 0 || after !== null) yield* this.#readFrom(after, limit, () => '1 = 1');
  }

  /** Yields the rows of a condition, which binds its parameters. */
  where(condition: (parameters: BoundParameters) => string): AsyncGenerator<SourceRecord> {
    return this.#readFrom(null, Infinity, condition);
  }

  async *#readFrom(
    position: KeyPosition | null,
    limit: number,
    condition: (parameters: BoundParameters) => string,
  ): AsyncGenerator<SourceRecord> {
    let after = position;
    let remaining = limit;
    let pageRows = minPageRows;
    while (remaining > 0) {
      const parameters = this.#newParameters();
      const where = `${this.#after(after, parameters)} and ${condition(parameters)}`;
      const page: RowPage = await this.#readPage(where, parameters, Math.min(pageRows, remaining));
      yield* page.records;
      if (page.isLast) return;
      after = page.last;
      remaining -= page.records.length;
      pageRows = Math.min(maxPageRows, pageRows * 2);
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const parameters = this.#newParameters();
    const conditions = this.#key.map((column, at) => {
      const value = key[column.name] ?? null;
      const sql = this.#order[at] ?? '';
      if (value === null) return 'false';
      const placeholder = parameters.bind(String(value));
      return isShortened(value)
        ? `${this.#dialect.keyExpression(column, sql).sql} = ${placeholder}`
        : this.#dialect.equals(column, sql, placeholder);
    });
    const wantedKey = locatorKey(key);
    try {
      const { records } = await this.#readPage(conditions.join(' and '), parameters, maxPageRows);
      yield* records.filter((record) => locatorKey(record.key) === wantedKey);
    } catch (error) {
      if (!isTroveError(error) || !this.#dialect.isInvalidValue(error.cause)) throw error;
    }
  }

  async *matches(text: string): AsyncGenerator<SourceRecord> {
    let after: KeyPosition | null = null;
    do {
      const { positions, last }: SearchPage = await this.#searchRange(text, after);
      for (let at = 0; at < positions.length; at += maxMatchesPerPage)
        yield* this.#readAt(positions.slice(at, at + maxMatchesPerPage));
      after = last;
    } while (after !== null);
  }

  /** Searches the next range of rows. */
  async #searchRange(text: string, after: KeyPosition | null): Promise<SearchPage> {
    const parameters = this.#newParameters();
    const keyAliases = this.#key.map((_, at) => `k${at}`);
    const texts = this.#key.map((column, at) =>
      this.#dialect.positionText(column, keyAliases[at] ?? ''),
    );
    const keys = this.#order.map((sql, at) => `${sql} as k${at}`).join(', ');
    const isHit = this.#mapper.contains(({ name }) => this.#dialect.quote(name), parameters, text);
    const sql = `select ${texts.join(', ')}, hit, nth from (
      select part.*, row_number() over (order by ${keyAliases.join(', ')}) as nth, count(*) over () as total from (
        select ${keys}, case when ${isHit} then 1 else 0 end as hit from ${this.#table}
        where ${this.#after(after, parameters)}
        order by ${this.#order.join(', ')} limit ${rowsPerSearch}) part) found
      where hit = 1 or nth = total order by nth`;
    const rows = await this.#query(sql, parameters);
    const last = rows.at(-1);
    return {
      positions: rows.filter((row) => row.at(-2) === '1').map((row) => row.slice(0, -2)),
      last: Number(last?.at(-1)) < rowsPerSearch ? null : (last?.slice(0, -2) ?? null),
    };
  }

  /** Yields the rows at these positions, ordered by key. */
  async *#readAt(positions: readonly KeyPosition[]): AsyncGenerator<SourceRecord> {
    const comparable = this.#comparable().join(', ');
    let last: KeyPosition | null = null;
    for (;;) {
      const parameters = this.#newParameters();
      const isAfter = this.#after(last, parameters);
      const tuples = positions.map((position) => {
        const values = this.#key.map((column, at) =>
          this.#dialect.positionValue(column, parameters.bind(position[at] ?? null)),
        );
        return `(${values.join(', ')})`;
      });
      const where = `${isAfter} and (${comparable}) in (${tuples.join(', ')})`;
      const page: RowPage = await this.#readPage(where, parameters, positions.length);
      yield* page.records;
      if (page.isLast || page.records.length === positions.length) return;
      last = page.last;
    }
  }

  /** Reads rows of a condition in the order of their keys, up to the limits of rows and bytes. */
  async #readPage(where: string, parameters: BoundParameters, limit: number): Promise<RowPage> {
    const { columns, values, aliasedColumns } = this.#mapper;
    const keyAliases = this.#key.map((column) => this.#mapper.aliasOf(column));
    const bytes = columns.map((column) =>
      this.#dialect.bytesOf(column, this.#dialect.quote(column.name)),
    );
    const query = {
      from: this.#table,
      where,
      order: this.#order,
      orderIndexes: this.#key.map((column) => columns.indexOf(column)),
      aliasedColumns,
      bytes: [minRowBytes, ...bytes].join(' + '),
      rows: limit,
      selected: [
        ...values,
        ...this.#key.map(
          (column, at) => this.#dialect.keyExpression(column, keyAliases[at] ?? '').sql,
        ),
        ...this.#key.map((column, at) => this.#dialect.positionText(column, keyAliases[at] ?? '')),
      ],
    };
    const rows = await this.#query(this.#dialect.pageQuery(query, maxBatchBytes), parameters);
    const last = rows.at(-1);
    const isWithinBytes = last === undefined || Number(last.at(-1)) < maxBatchBytes;
    return {
      records: rows.map((row) => this.#recordOf(row, values.length)),
      last: last?.slice(-1 - keyAliases.length, -1) ?? null,
      isLast: rows.length < limit && isWithinBytes,
    };
  }

  async #positionAfter(rows: number): Promise<KeyPosition | null> {
    const texts = this.#key.map((column, at) =>
      this.#dialect.positionText(column, this.#order[at] ?? ''),
    );
    const aliasedTexts = texts.map((sql, at) => `${sql} as k${at}`).join(', ');
    const sql = `select ${aliasedTexts} from ${this.#table}
      order by ${this.#order.join(', ')} limit 1 offset ${rows - 1}`;
    const [row] = await this.#query(sql, this.#newParameters());
    return row ?? null;
  }

  /** `from` is the index of the first key value in the row. */
  #recordOf(row: SqlRow, from: number): SourceRecord {
    const key: Record<string, JsonScalar> = {};
    for (const [at, column] of this.#key.entries()) {
      const text = row[from + at] ?? null;
      key[column.name] = text === null ? null : this.#dialect.keyExpression(column, '').parse(text);
    }
    return this.#mapper.recordOf(key, row);
  }

  /** Returns the condition for rows after a position, or for all rows if it is null. */
  #after(position: KeyPosition | null, parameters: BoundParameters): string {
    if (position === null) return '1 = 1';
    return this.#dialect.isAfter(this.#comparable(), (at) => {
      const column = this.#key[at];
      const placeholder = parameters.bind(position[at] ?? null);
      return column === undefined ? placeholder : this.#dialect.positionValue(column, placeholder);
    });
  }

  #comparable(): string[] {
    return this.#key.map((column, at) => this.#dialect.comparable(column, this.#order[at] ?? ''));
  }

  #newParameters(): BoundParameters {
    return new BoundParameters(this.#dialect);
  }

  #query(sql: string, { values }: BoundParameters): Promise<SqlRow[]> {
    return this.#connection.transaction(this.#signal, (session) => session.all(sql, values));
  }
}
