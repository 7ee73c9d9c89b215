import {
  isTroveError,
  locatorKey,
  type JsonScalar,
  type RecordKey,
  type SourceRecord,
} from '@trove/core';
import { bytesAtOnce, codeOf } from '@trove/connector-kit';

import type { Relation } from './catalog.js';
import type { Column } from './columns.js';
import type { Connection, Query, Row } from './connection.js';
import { quoted } from './names.js';
import { Shape } from './shape.js';
import { bytesOf, isShortened, shownKey } from './values.js';

/** The key of a row as PostgreSQL writes it, from which it goes on. */
type Place = readonly (string | null)[];

interface Page {
  readonly records: readonly SourceRecord[];
  readonly last: Place | null;
  /** Nothing follows. */
  readonly isLast: boolean;
}

const fewestAtOnce = 16;
const mostAtOnce = 1000;
/** Rows that a search looks at in one statement. */
const rowsSearched = 20_000;
const matchesAtOnce = 50;

/**
 * The rows of a table with a key, a part at a time, each by a statement of its own that goes on after the last key: no
 * snapshot and no lock is held while others work on what was read.
 */
export class KeyedRows {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #from: string;
  readonly #key: readonly Column[];
  readonly #shape: Shape;
  /** The columns of the key, in SQL. */
  readonly #order: string;

  constructor(
    connection: Connection,
    signal: AbortSignal,
    relation: Relation,
    key: readonly Column[],
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#from = relation.from;
    this.#key = key;
    this.#shape = new Shape(relation.columns);
    this.#order = key.map(({ name }) => quoted(name)).join(', ');
  }

  async *records(offset: number, limit: number): AsyncGenerator<SourceRecord> {
    let after = offset === 0 ? null : await this.#placeAfter(offset);
    if (offset > 0 && after === null) return;
    let left = limit;
    let wanted = fewestAtOnce;
    while (left > 0) {
      const page = await this.#page(...this.#beyond(after), Math.min(wanted, left));
      yield* page.records;
      if (page.isLast) return;
      after = page.last;
      left -= page.records.length;
      wanted = Math.min(mostAtOnce, wanted * 2);
    }
  }

  async *find(key: RecordKey): AsyncGenerator<SourceRecord> {
    const values: string[] = [];
    const conditions = this.#key.map((column) => {
      const value = key[column.name] ?? null;
      if (value === null) return 'false';
      values.push(String(value));
      const name = quoted(column.name);
      return isShortened(value)
        ? `${shownKey(column.base, name).sql} = $${values.length}`
        : `${name} = $${values.length}::${column.base.sql}`;
    });
    const where = `where ${conditions.join(' and ')}`;
    const { records } = await this.#page(where, values, mostAtOnce).catch((error: unknown) => {
      // A text that is none of the column's values: no date, say.
      if (isTroveError(error) && codeOf(error.cause).startsWith('22')) return { records: [] };
      throw error;
    });
    const wanted = locatorKey(key);
    yield* records.filter((record) => locatorKey(record.key) === wanted);
  }

  async *matches(text: string): AsyncGenerator<SourceRecord> {
    let after: Place | null = null;
    do {
      const { places, last }: { places: Place[]; last: Place | null } = await this.#search(
        text,
        after,
      );
      for (let at = 0; at < places.length; at += matchesAtOnce)
        yield* this.#at(places.slice(at, at + matchesAtOnce));
      after = last;
    } while (after !== null);
  }

  /** Where the text is among the next rows, and the last of these; null: nothing follows. */
  async #search(
    text: string,
    after: Place | null,
  ): Promise<{ places: Place[]; last: Place | null }> {
    const [where, values] = this.#beyond(after);
    const holds = this.#shape.holds((column) => quoted(column.name), `$${values.length + 1}`);
    const keys = this.#key.map(({ name }, at) => `${quoted(name)} as k${at}`).join(', ');
    const order = this.#key.map((_, at) => `k${at}`).join(', ');
    const texts = this.#key.map((_, at) => `k${at}::text`).join(', ');
    const rows = await this.#transaction((query) =>
      query(
        `select ${texts}, hit, at < ${rowsSearched} from (
           select *, row_number() over (order by ${order}) as at, count(*) over () as met from (
             select ${keys}, ${holds} as hit from ${this.#from} ${where}
             order by ${this.#order} limit ${rowsSearched}) part) found
         where hit or at = met order by at`,
        [...values, text],
      ),
    );
    const width = this.#key.length;
    const last = rows.at(-1);
    return {
      places: rows.filter((row) => row[width] === 't').map((row) => row.slice(0, width)),
      last: last === undefined || last[width + 1] === 't' ? null : last.slice(0, width),
    };
  }

  async *#at(places: readonly Place[]): AsyncGenerator<SourceRecord> {
    let last: Place | null = null;
    for (;;) {
      const [where, values] = this.#beyond(last);
      const tuples = places.map((place) => `(${this.#tuple(place, values)})`);
      const among = `${where} and (${this.#order}) in (${tuples.join(', ')})`;
      const page: Page = await this.#page(among, values, places.length);
      yield* page.records;
      if (page.isLast || page.records.length === places.length) return;
      last = page.last;
    }
  }

  /** The rows that a condition leaves, as many as may be held in memory at once, in the order of their keys. */
  #page(where: string, values: readonly (string | null)[], wanted: number): Promise<Page> {
    const { columns } = this.#shape;
    const parts = this.#key.map((column) => columns.indexOf(column));
    const order = parts.map((at) => `c${at}`).join(', ');
    const bytes = columns.map(({ name, base }) => bytesOf(base, quoted(name))).join(' + ');
    const selected = [
      ...this.#shape.values,
      ...this.#key.map(({ base }, at) => shownKey(base, `c${parts[at]}`).sql),
      ...parts.map((at) => `c${at}::text`),
      'upto',
    ];
    const sql = `select ${selected.join(', ')} from (
      select *, sum(bytes) over (order by ${order} rows unbounded preceding) as upto from (
        select ${this.#shape.named}, 16 + ${bytes} as bytes from ${this.#from} ${where}
        order by ${this.#order} limit ${wanted}) part) counted
      where upto - bytes < ${bytesAtOnce} order by upto`;
    return this.#transaction(async (query) => {
      const rows = await query(sql, values);
      const last = rows.at(-1);
      const isWhole = last === undefined || Number(last.at(-1)) < bytesAtOnce;
      return {
        records: rows.map((row) => this.#recordOf(row)),
        last: last?.slice(-1 - parts.length, -1) ?? null,
        isLast: rows.length < wanted && isWhole,
      };
    });
  }

  async #placeAfter(rows: number): Promise<Place | null> {
    const texts = this.#key.map(({ name }, at) => `${quoted(name)}::text as k${at}`).join(', ');
    const [row] = await this.#transaction((query) =>
      query(
        `select ${texts} from ${this.#from} order by ${this.#order} limit 1 offset ${rows - 1}`,
      ),
    );
    return row ?? null;
  }

  #recordOf(row: Row): SourceRecord {
    const key: Record<string, JsonScalar> = {};
    const from = this.#shape.values.length;
    for (const [at, { name, base }] of this.#key.entries()) {
      const text = row[from + at];
      key[name] = text === null || text === undefined ? null : shownKey(base, '').read(text);
    }
    return this.#shape.recordOf(key, row);
  }

  #beyond(after: Place | null): [where: string, values: (string | null)[]] {
    if (after === null) return ['where true', []];
    const values: (string | null)[] = [];
    return [`where (${this.#order}) > (${this.#tuple(after, values)})`, values];
  }

  /** The members of a place as parameters, which are added to the values. */
  #tuple(place: Place, values: (string | null)[]): string {
    const parts = this.#key.map(({ base }, at) => `$${values.length + at + 1}::${base.sql}`);
    values.push(...place);
    return parts.join(', ');
  }

  #transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#connection.transaction(this.#signal, work);
  }
}
