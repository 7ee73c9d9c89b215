import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';
import { maxBatchBytes, recordOf } from '@trove/connector-kit';

import type { SqliteTable } from './catalog.js';
import type { ReadPlan } from './plan.js';
import type { SqliteParameters, SqliteRow } from './protocol.js';
import type { SqliteReader } from './reader.js';
import {
  parameterSqlOf,
  joinBalanced,
  storedValuesOf,
  valueSqlOf,
  storedSqlOf,
  toStored,
  type StoredValue,
} from './values.js';

/** The position of a row in the order of a table. */
export type RowPosition = readonly StoredValue[];

const maxPageRows = 1000;
const minPageRows = 16;
/** The rows that one search statement scans. */
const rowsPerSearch = 20_000;

/** Reads the rows of a table in pages. Each page is a separate statement, which keeps memory small and locks short. */
export class SqliteRows {
  readonly #reader: SqliteReader;
  readonly #table: SqliteTable;
  readonly #plan: ReadPlan;

  constructor(reader: SqliteReader, table: SqliteTable, plan: ReadPlan) {
    this.#reader = reader;
    this.#table = table;
    this.#plan = plan;
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let after = offset === 0 ? null : await this.#positionAfter(null, offset);
    if (offset > 0 && after === null) return;
    let remaining = limit;
    let pageRows = minPageRows;
    while (remaining > 0) {
      pageRows = await this.#limitByBytes(after, Math.min(pageRows, remaining));
      const rows = await this.#select(
        `${this.#rangeCondition(after)} ${this.#orderBy(pageRows)}`,
        after,
      );
      for (const row of rows) yield this.#recordOf(row);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      after = this.#positionOf(last);
      remaining -= rows.length;
      pageRows = Math.min(maxPageRows, pageRows * 2);
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const values = this.#plan.key.names.map((name) => storedValuesOf(key[name]));
    const parameters: Record<string, StoredValue['value']> = {};
    const conditions = values.map((storedValues, part) => {
      const alternatives = storedValues.map((storedValue, at) => {
        parameters[`$k${part}_${at}`] = storedValue.value;
        return `${this.#plan.key.columns[part]} = ${parameterSqlOf(storedValue, `$k${part}_${at}`)}`;
      });
      return joinBalanced(alternatives, 'or');
    });
    const rows = await this.#select(`where ${joinBalanced(conditions, 'and')}`, null, parameters);
    const wantedKey = locatorKey(key);
    for (const row of rows) {
      const record = this.#recordOf(row);
      if (locatorKey(record.key) === wantedKey) yield record;
    }
  }

  /** Yields records with a shown value that contains the text. */
  async *matches(pattern: string): AsyncGenerator<SourceRecord> {
    const { columns } = this.#plan;
    const contains = joinBalanced(
      columns.map((column) => `instr(${valueSqlOf(column, columns.length)}, $pattern) > 0`),
      'or',
    );
    let after: RowPosition | null = null;
    for (;;) {
      const until: RowPosition | null = await this.#positionAfter(after, rowsPerSearch);
      let from: RowPosition | null = after;
      for (;;) {
        const rows: SqliteRow[] = await this.#query(
          `select ${this.#positionSelect()} from ${this.#plan.from}
           ${this.#rangeCondition(from, until)} and ${contains} ${this.#orderBy(maxPageRows)}`,
          { ...parametersOf('a', from), ...parametersOf('u', until), $pattern: pattern },
        );
        for (const row of rows) yield* this.#readAt(this.#positionOf(row));
        const last = rows.at(-1);
        if (last === undefined || rows.length < maxPageRows) break;
        from = this.#positionOf(last);
      }
      if (until === null) return;
      after = until;
    }
  }

  async *#readAt(position: RowPosition): AsyncGenerator<SourceRecord> {
    const conditions = this.#plan.order.map(
      (column, at) => `${column} = ${boundParameter('a', position, at)}`,
    );
    const rows = await this.#select(`where ${joinBalanced(conditions, 'and')}`, position);
    for (const row of rows) yield this.#recordOf(row);
  }

  /** Returns how many of the next rows fit into memory. SQLite knows the lengths of values without reading them. */
  async #limitByBytes(after: RowPosition | null, pageRows: number): Promise<number> {
    const { columns, from } = this.#plan;
    const bytes = joinBalanced(
      columns.map((column) => `ifnull(octet_length(${column}), 0)`),
      '+',
    );
    let rows = pageRows;
    while (rows > 1) {
      const [sum] = await this.#query(
        `select sum(bytes) as bytes from
         (select ${bytes} as bytes from ${from} ${this.#rangeCondition(after)} ${this.#orderBy(rows)})`,
        parametersOf('a', after),
      );
      const total = Number(sum?.['bytes'] ?? 0);
      if (total <= maxBatchBytes) return rows;
      rows = Math.max(1, Math.min(rows - 1, Math.floor((rows * maxBatchBytes) / total)));
    }
    return rows;
  }

  /** Returns the position of the row that many rows later, or null if there are fewer rows. */
  async #positionAfter(after: RowPosition | null, rows: number): Promise<RowPosition | null> {
    const [row] = await this.#query(
      `select ${this.#positionSelect()} from ${this.#plan.from} ${this.#rangeCondition(after)}
       ${this.#orderBy(1)} offset ${rows - 1}`,
      parametersOf('a', after),
    );
    return row === undefined ? null : this.#positionOf(row);
  }

  #select(
    rest: string,
    after: RowPosition | null,
    parameters: SqliteParameters = {},
  ): Promise<SqliteRow[]> {
    const { columns, key, from } = this.#plan;
    const values = columns.map((column, at) => `${valueSqlOf(column, columns.length)} as v${at}`);
    const keys = key.columns.map((column, at) => `${valueSqlOf(column, 1)} as k${at}`);
    const selected = [...values, ...keys, this.#positionSelect()].join(', ');
    return this.#query(`select ${selected} from ${from} ${rest}`, {
      ...parametersOf('a', after),
      ...parameters,
    });
  }

  #query(sql: string, parameters: SqliteParameters): Promise<SqliteRow[]> {
    return this.#plan.isCopy
      ? this.#reader.queryCopy(sql, parameters)
      : this.#reader.query(sql, parameters);
  }

  #positionSelect(): string {
    return this.#plan.order
      .map((column, at) => `typeof(${column}) as t${at}, ${storedSqlOf(column)} as o${at}`)
      .join(', ');
  }

  #positionOf(row: SqliteRow): RowPosition {
    return this.#plan.order.map((_, at) => toStored(row[`t${at}`], row[`o${at}`]));
  }

  #rangeCondition(after: RowPosition | null, until: RowPosition | null = null): string {
    const order = this.#plan.order.join(', ');
    const tuple = (name: string, position: RowPosition): string =>
      position.map((_, at) => boundParameter(name, position, at)).join(', ');
    const from = after === null ? 'where true' : `where (${order}) > (${tuple('a', after)})`;
    return until === null ? from : `${from} and (${order}) <= (${tuple('u', until)})`;
  }

  #orderBy(limit: number): string {
    return `order by ${this.#plan.order.join(', ')} limit ${limit}`;
  }

  #recordOf(row: SqliteRow): SourceRecord {
    const key: Record<string, JsonScalar> = {};
    for (const [at, name] of this.#plan.key.names.entries()) key[name] = scalarOf(row[`k${at}`]);
    const values = this.#table.columns.map(({ name, type }, at) => {
      const value = scalarOf(row[`v${at}`]);
      return [name, isJson(type) ? parseJson(value) : value] as const;
    });
    return recordOf(key, values);
  }
}

function boundParameter(name: string, position: RowPosition, at: number): string {
  const value = position[at];
  return value === undefined ? 'null' : parameterSqlOf(value, `$${name}${at}`);
}

function parametersOf(name: string, position: RowPosition | null): SqliteParameters {
  return Object.fromEntries((position ?? []).map(({ value }, at) => [`$${name}${at}`, value]));
}

function isJson(type: string): boolean {
  return /^json/i.test(type);
}

function parseJson(value: JsonScalar): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function scalarOf(value: unknown): JsonScalar {
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
