import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';

import { isIdentifier } from '../keys.js';
import { JsonFileBuffer } from '../json-file-buffer.js';
import { BoundParameters } from './bound-parameters.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow, SqlSession } from './driver.js';
import type { TableColumns } from './keyed-rows.js';
import { RowMapper } from './row-mapper.js';

/** The key field that holds a digest of the row. */
const rowKey = 'row';

/** Returns a condition over the columns `c0`, `c1` … and binds its parameters. */
type RowCondition = (parameters: BoundParameters) => string;

const allRows: RowCondition = () => '1 = 1';

/**
 * Reads views, and tables without a key. Copies all rows into a temporary file first, so the transaction does not stay open
 * while the caller handles rows. The key is an `id` column with unique values, or else a digest of the row.
 */
export class UnkeyedRows<C extends SqlColumn> {
  readonly #connection: SqlConnection;
  readonly #dialect: SqlDialect<C>;
  readonly #signal: AbortSignal;
  readonly #from: string;
  readonly #mapper: RowMapper<C>;
  readonly #identifier: C | null;

  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    { from, columns }: TableColumns<C>,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#signal = signal;
    this.#from = from;
    this.#mapper = new RowMapper(dialect, columns);
    const identifier = columns.find(
      (column) => isIdentifier(column.name) && dialect.mayIdentify(column),
    );
    this.#identifier = identifier ?? null;
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let left = offset;
    for await (const record of this.#read(allRows, offset + limit)) if (left-- <= 0) yield record;
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const wantedKey = locatorKey(key);
    const condition = this.#conditionOf(key);
    if (condition === null) return;
    for await (const record of this.#read(condition, Infinity))
      if (locatorKey(record.key) === wantedKey) yield record;
  }

  matches(text: string): AsyncGenerator<SourceRecord> {
    const contains: RowCondition = (parameters) =>
      this.#mapper.contains((column) => this.#mapper.aliasOf(column), parameters, text);
    return this.#read(contains, Infinity);
  }

  async *#read(condition: RowCondition, maxRows: number): AsyncGenerator<SourceRecord> {
    const buffer = await JsonFileBuffer.open();
    try {
      const identifier = await this.#connection.transaction(this.#signal, async (session) => {
        const column = (await this.#identifies(session)) ? this.#identifier : null;
        await this.#copy(session, column, condition, maxRows, buffer);
        return column;
      });
      let previous = '';
      let count = 0;
      for await (const row of buffer.values()) {
        if (!isRow(row)) continue;
        const keyText = row.at(-1) ?? '';
        count = keyText === previous ? count + 1 : 1;
        previous = keyText;
        yield this.#mapper.recordOf(this.#keyOf(identifier, keyText, count), row);
      }
    } finally {
      await buffer.close();
    }
  }

  async #copy(
    session: SqlSession,
    identifier: C | null,
    condition: RowCondition,
    maxRows: number,
    buffer: JsonFileBuffer,
  ): Promise<void> {
    const parameters = new BoundParameters(this.#dialect);
    const column = identifier === null ? this.#digest : this.#mapper.aliasOf(identifier);
    const key = identifier === null ? column : this.#dialect.keyExpression(identifier, column).sql;
    const limitSql = maxRows === Infinity ? '' : `limit ${maxRows}`;
    const sql = `select ${[...this.#mapper.values, key].join(', ')} from ${this.#subquery}
      where ${condition(parameters)} order by ${column} ${limitSql}`;
    await session.each(sql, parameters.values, (row) => buffer.append(row));
  }

  /** Returns whether the identifier is unique and never null. */
  async #identifies(session: SqlSession): Promise<boolean> {
    if (this.#identifier === null) return false;
    const column = this.#mapper.aliasOf(this.#identifier);
    const violations = await session.all(
      `select 1 from ${this.#subquery} group by ${column} having count(*) > 1 or ${column} is null limit 1`,
    );
    return violations.length === 0;
  }

  #conditionOf(key: RecordKey): RowCondition | null {
    const [[name, value] = ['', null], ...others] = Object.entries(key);
    if (others.length > 0 || value === null) return null;
    const identifier = this.#identifier;
    if (identifier !== null && name === identifier.name) {
      const { sql } = this.#dialect.keyExpression(identifier, this.#mapper.aliasOf(identifier));
      return (parameters) => `${sql} = ${parameters.bind(String(value))}`;
    }
    const [, hash] = /^([0-9a-f]{32})(?:-\d+)?$/.exec(String(value)) ?? [];
    if (name !== rowKey || hash === undefined) return null;
    return (parameters) => `${this.#digest} = ${parameters.bind(hash)}`;
  }

  /** Equal rows get a number after the digest. */
  #keyOf(identifier: C | null, keyText: string, count: number): RecordKey {
    const key: Record<string, JsonScalar> = {};
    if (identifier !== null)
      key[identifier.name] = this.#dialect.keyExpression(identifier, '').parse(keyText);
    else key[rowKey] = count === 1 ? keyText : `${keyText}-${count}`;
    return key;
  }

  get #digest(): string {
    return this.#dialect.digest(this.#mapper.columns.length);
  }

  get #subquery(): string {
    return `(select ${this.#mapper.aliasedColumns} from ${this.#from}) part`;
  }
}

function isRow(value: unknown): value is SqlRow {
  return Array.isArray(value);
}
