import { locatorKey, type JsonScalar, type RecordKey, type SourceRecord } from '@trove/core';
import { isIdentifier, Spool } from '@trove/connector-kit';

import type { Relation } from './catalog.js';
import type { Column } from './columns.js';
import type { Connection, Query, Row } from './connection.js';
import { Shape } from './shape.js';
import { shownKey } from './values.js';

const rowsAtOnce = 100;
const identifying = new Set(['int2', 'int4', 'int8', 'numeric', 'uuid', 'text', 'varchar']);

interface Condition {
  /** Over the columns `c0`, `c1` … */
  readonly sql: string;
  readonly values: readonly string[];
}

const everything: Condition = { sql: 'true', values: [] };

/**
 * The rows of what has no key: views, and tables without one. All of them are read at once, into a temporary file, so that
 * no transaction is kept open for those who work on them. Each is known by an `id` that no two share, or by a digest of it.
 */
export class WholeRows {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #from: string;
  readonly #shape: Shape;
  readonly #identifier: Column | null;

  constructor(connection: Connection, signal: AbortSignal, { from, columns }: Relation) {
    this.#connection = connection;
    this.#signal = signal;
    this.#from = from;
    this.#shape = new Shape(columns);
    this.#identifier =
      columns.find(({ name, base }) => isIdentifier(name) && identifying.has(base.name)) ?? null;
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
    const sql = this.#shape.holds((column) => this.#sqlOf(column), '$1');
    return this.#all({ sql, values: [text] }, Infinity);
  }

  async *#all(condition: Condition, most: number): AsyncGenerator<SourceRecord> {
    const spool = await Spool.open();
    try {
      const identifier = await this.#connection.transaction(this.#signal, async (query) => {
        const column = (await this.#identifies(query)) ? this.#identifier : null;
        await this.#copy(query, column, condition, most, spool);
        return column;
      });
      let before = '';
      let copies = 0;
      for await (const row of spool.values()) {
        if (!isRow(row)) continue;
        const shownAs = row.at(-1) ?? '';
        copies = shownAs === before ? copies + 1 : 1;
        before = shownAs;
        yield this.#shape.recordOf(keyOf(identifier, shownAs, copies), row);
      }
    } finally {
      await spool.close();
    }
  }

  async #copy(
    query: Query,
    identifier: Column | null,
    { sql, values }: Condition,
    most: number,
    spool: Spool,
  ): Promise<void> {
    const key =
      identifier === null ? digest : shownKey(identifier.base, this.#sqlOf(identifier)).sql;
    const order = identifier === null ? digest : this.#sqlOf(identifier);
    const limit = most === Infinity ? '' : `limit ${most}`;
    await query(
      `declare rows no scroll cursor for
       select ${[...this.#shape.values, key].join(', ')} from ${this.#part}
       where ${sql} order by ${order} ${limit}`,
      values,
    );
    for (;;) {
      this.#signal.throwIfAborted();
      const rows = await query(`fetch ${rowsAtOnce} from rows`);
      for (const row of rows) await spool.put(row);
      if (rows.length < rowsAtOnce) return;
    }
  }

  /** Whether no two rows share an identifier, and none lacks it. */
  async #identifies(query: Query): Promise<boolean> {
    if (this.#identifier === null) return false;
    const column = this.#sqlOf(this.#identifier);
    const unfit = await query(
      `select from ${this.#part} group by ${column} having count(*) > 1 or ${column} is null limit 1`,
    );
    return unfit.length === 0;
  }

  #conditionOf(key: RecordKey): Condition | null {
    const [[name, value] = ['', null], ...others] = Object.entries(key);
    if (others.length > 0 || value === null) return null;
    if (name === this.#identifier?.name) {
      const sql = `${shownKey(this.#identifier.base, this.#sqlOf(this.#identifier)).sql} = $1`;
      return { sql, values: [String(value)] };
    }
    const [, hash] = /^([0-9a-f]{32})(?:-\d+)?$/.exec(String(value)) ?? [];
    return name === rowKey && hash !== undefined ? { sql: `${digest} = $1`, values: [hash] } : null;
  }

  #sqlOf(column: Column): string {
    return `c${this.#shape.columns.indexOf(column)}`;
  }

  get #part(): string {
    return `(select ${this.#shape.named} from ${this.#from}) part`;
  }
}

const rowKey = 'row';
const digest = 'md5(part::text)';

/** Rows that are equal in all columns are counted. */
function keyOf(identifier: Column | null, shownAs: string, copies: number): RecordKey {
  const key: Record<string, JsonScalar> = {};
  if (identifier !== null) key[identifier.name] = shownKey(identifier.base, '').read(shownAs);
  else key[rowKey] = copies === 1 ? shownAs : `${shownAs}-${copies}`;
  return key;
}

function isRow(value: unknown): value is Row {
  return Array.isArray(value);
}
