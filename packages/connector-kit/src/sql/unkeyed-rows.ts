import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';

import { isIdentifier } from '../keys.js';
import { JsonFileBuffer } from '../json-file-buffer.js';
import { BoundParameters } from './bound-parameters.js';
import type { SqlConnection } from './connection.js';
import type { SqlDialect, SqlColumn } from './dialect.js';
import type { SqlRow, SqlSession } from './driver.js';
import type { SqlTable } from './keyed-rows.js';
import { RowMapper } from './row-mapper.js';

/** The key field that holds a digest of the row. */
const rowKey = 'row';

/** Returns a condition over the columns `c0`, `c1` … and binds its parameters. */
type RowCondition = (bound: BoundParameters) => string;

const everything: RowCondition = () => '1 = 1';

/**
 * Reads views, and tables without a key. Copies all rows into a temporary file first, so the transaction does not stay open
 * while the caller handles rows. The key is an `id` column with unique values, or else a digest of the row.
 */
export class UnkeyedRows<C extends SqlColumn> {
  readonly #connection: SqlConnection;
  readonly #dialect: SqlDialect<C>;
  readonly #signal: AbortSignal;
  readonly #from: string;
  readonly #shape: RowMapper<C>;
  readonly #identifier: C | null;

  constructor(
    connection: SqlConnection,
    dialect: SqlDialect<C>,
    { from, columns }: SqlTable<C>,
    signal: AbortSignal,
  ) {
    this.#connection = connection;
    this.#dialect = dialect;
    this.#signal = signal;
    this.#from = from;
    this.#shape = new RowMapper(dialect, columns);
    const identifier = columns.find(
      (column) => isIdentifier(column.name) && dialect.mayIdentify(column),
    );
    this.#identifier = identifier ?? null;
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let left = offset;
    for await (const record of this.#all(everything, offset + limit)) if (left-- <= 0) yield record;
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const wanted = locatorKey(key);
    const condition = this.#conditionOf(key);
    if (condition === null) return;
    for await (const record of this.#all(condition, Infinity))
      if (locatorKey(record.key) === wanted) yield record;
  }

  matches(text: string): AsyncGenerator<SourceRecord> {
    const holds: RowCondition = (bound) =>
      this.#shape.contains((column) => this.#shape.aliasOf(column), bound, text);
    return this.#all(holds, Infinity);
  }

  async *#all(condition: RowCondition, most: number): AsyncGenerator<SourceRecord> {
    const spool = await JsonFileBuffer.open();
    try {
      const identifier = await this.#connection.transaction(this.#signal, async (session) => {
        const column = (await this.#identifies(session)) ? this.#identifier : null;
        await this.#copy(session, column, condition, most, spool);
        return column;
      });
      let before = '';
      let copies = 0;
      for await (const row of spool.values()) {
        if (!isRow(row)) continue;
        const shownAs = row.at(-1) ?? '';
        copies = shownAs === before ? copies + 1 : 1;
        before = shownAs;
        yield this.#shape.recordOf(this.#keyOf(identifier, shownAs, copies), row);
      }
    } finally {
      await spool.close();
    }
  }

  async #copy(
    session: SqlSession,
    identifier: C | null,
    condition: RowCondition,
    most: number,
    spool: JsonFileBuffer,
  ): Promise<void> {
    const bound = new BoundParameters(this.#dialect);
    const column = identifier === null ? this.#digest : this.#shape.aliasOf(identifier);
    const key = identifier === null ? column : this.#dialect.keyExpression(identifier, column).sql;
    const limit = most === Infinity ? '' : `limit ${most}`;
    const sql = `select ${[...this.#shape.values, key].join(', ')} from ${this.#part}
      where ${condition(bound)} order by ${column} ${limit}`;
    await session.each(sql, bound.values, (row) => spool.append(row));
  }

  /** Returns whether the identifier is unique and never null. */
  async #identifies(session: SqlSession): Promise<boolean> {
    if (this.#identifier === null) return false;
    const column = this.#shape.aliasOf(this.#identifier);
    const unfit = await session.all(
      `select 1 from ${this.#part} group by ${column} having count(*) > 1 or ${column} is null limit 1`,
    );
    return unfit.length === 0;
  }

  #conditionOf(key: RecordKey): RowCondition | null {
    const [[name, value] = ['', null], ...others] = Object.entries(key);
    if (others.length > 0 || value === null) return null;
    const identifier = this.#identifier;
    if (identifier !== null && name === identifier.name) {
      const { sql } = this.#dialect.keyExpression(identifier, this.#shape.aliasOf(identifier));
      return (bound) => `${sql} = ${bound.bind(String(value))}`;
    }
    const [, hash] = /^([0-9a-f]{32})(?:-\d+)?$/.exec(String(value)) ?? [];
    if (name !== rowKey || hash === undefined) return null;
    return (bound) => `${this.#digest} = ${bound.bind(hash)}`;
  }

  /** Equal rows get a number after the digest. */
  #keyOf(identifier: C | null, shownAs: string, copies: number): RecordKey {
    const key: Record<string, JsonScalar> = {};
    if (identifier !== null)
      key[identifier.name] = this.#dialect.keyExpression(identifier, '').parse(shownAs);
    else key[rowKey] = copies === 1 ? shownAs : `${shownAs}-${copies}`;
    return key;
  }

  get #digest(): string {
    return this.#dialect.digest(this.#shape.columns.length);
  }

  get #part(): string {
    return `(select ${this.#shape.aliasedColumns} from ${this.#from}) part`;
  }
}

function isRow(value: unknown): value is SqlRow {
  return Array.isArray(value);
}
