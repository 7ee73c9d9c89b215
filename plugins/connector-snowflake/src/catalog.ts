import { createHash } from 'node:crypto';

import { mapInParallel } from '@trove/connector-kit';
import {
  describeTable,
  isIncluded,
  type ByteBudget,
  type CatalogColumn,
  type ScannedTable,
  type TableFilter,
} from '@trove/connector-kit/sql';
import { TroveError } from '@trove/core';

import type { SnowflakeCell, SnowflakeApi } from './api.js';
import { columnOf, typeNameOf, type SnowflakeColumn } from './columns.js';
import { explainedScansOf } from './explain.js';
import { quoteIdentifier, type SnowflakeLocation } from './location.js';

/** Statements that run at the same time. */
const maxStatements = 4;
/** `show` returns no more rows. */
const maxShownRows = 10_000;

/** A row of `show`. */
type Facts = Readonly<Record<string, SnowflakeCell>>;

/** A table or view. */
export interface SnowflakeTable extends ScannedTable {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly columnTypes: readonly SnowflakeColumn[];
}

interface ListedTable {
  readonly schema: string;
  readonly name: string;
  readonly isView: boolean;
  readonly facts: Facts;
}

interface SnowflakeCatalogOptions {
  readonly api: SnowflakeApi;
  readonly location: SnowflakeLocation;
  readonly filter: TableFilter;
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly budget: ByteBudget;
  /** Whether to compare the time of the last change, which needs a warehouse. */
  readonly lastAltered: boolean;
}

/** The tables and views of a database. `show` and `explain` need no warehouse. */
export class SnowflakeCatalog {
  readonly #options: SnowflakeCatalogOptions;

  constructor(options: SnowflakeCatalogOptions) {
    this.#options = options;
  }

  /** Returns the included tables and views, ordered by name. */
  async tables(signal: AbortSignal): Promise<readonly SnowflakeTable[]> {
    const listed = await this.#list(signal);
    const included = listed.filter((table) => this.#isIncluded(table));
    return (await this.#describeAll(included, listed, signal)).toSorted((a, b) =>
      a.names.join('\n') < b.names.join('\n') ? -1 : 1,
    );
  }

  /** Returns one table or view, or null. */
  async table(names: readonly string[], signal: AbortSignal): Promise<SnowflakeTable | null> {
    const { location } = this.#options;
    const [schema, name, ...others] =
      location.schema === null ? names : [location.schema, ...names];
    if (name === undefined || others.length > 0) return null;
    const listed = await this.#list(signal);
    const wanted = listed.filter(
      (table) => table.schema === schema && table.name === name && this.#isIncluded(table),
    );
    return (await this.#describeAll(wanted, listed, signal))[0] ?? null;
  }

  /** Returns the names of all schemas. */
  async schemas(signal: AbortSignal): Promise<readonly string[]> {
    const { api, location } = this.#options;
    const rows = await api.all(
      `show schemas in database ${quoteIdentifier(location.database)}`,
      signal,
    );
    return rows.map(({ name }) => name ?? '').filter((name) => name !== informationSchema);
  }

  #isIncluded({ schema, name, isView }: ListedTable): boolean {
    return isIncluded(this.#options.filter, { schema, name }, isView);
  }

  async #list(signal: AbortSignal): Promise<readonly ListedTable[]> {
    const [tables, views] = [await this.#show('tables', signal), await this.#show('views', signal)];
    const toListed =
      (isView: boolean) =>
      (facts: Facts): ListedTable => ({
        schema: facts['schema_name'] ?? '',
        name: facts['name'] ?? '',
        isView,
        facts,
      });
    return [...tables.map(toListed(false)), ...views.map(toListed(true))].filter(
      ({ schema }) => schema !== informationSchema,
    );
  }

  async #describeAll(
    included: readonly ListedTable[],
    all: readonly ListedTable[],
    signal: AbortSignal,
  ): Promise<readonly SnowflakeTable[]> {
    if (included.length === 0) return [];
    const columns = groupByTable(await this.#columns(included, signal));
    const keys = groupByTable(await this.#show('primary keys', signal));
    const altered = await this.#lastAltered(signal);
    const states = new Map(all.map((table) => [nameOf(table), stateOf(table, altered)]));
    return mapInParallel(included, maxStatements, (table) => {
      const own = (columns.get(nameOf(table)) ?? []).map(columnOf);
      const described = this.#describe(table, own, keys.get(nameOf(table)) ?? []);
      return table.isView
        ? this.#withCost(described, table, states, signal)
        : Promise.resolve(this.#withState(described, table, states));
    });
  }

  #describe(
    { schema, name, isView, facts }: ListedTable,
    columnTypes: readonly SnowflakeColumn[],
    keyRows: readonly Facts[],
  ): SnowflakeTable {
    const { location, keys } = this.#options;
    const columns = columnTypes.map((column): CatalogColumn => ({
      name: column.name,
      type: typeNameOf(column),
      nullable: column.nullable,
      default: column.default,
      comment: column.comment,
    }));
    const declared = keyRows
      .toSorted((a, b) => Number(a['key_sequence']) - Number(b['key_sequence']))
      .map((row) => row['column_name'] ?? '');
    const wanted = keys[`${schema}.${name}`] ?? keys[name] ?? declared;
    const found = wanted.flatMap((each) => columns.find((column) => column.name === each) ?? []);
    const key = found.length > 0 && found.length === wanted.length ? found : null;
    const { comment } = facts;
    const description = describeTable(
      { isShown: () => true },
      {
        schema,
        name,
        kind: isView ? 'view' : 'table',
        comment: comment === '' ? null : (comment ?? null),
        columns,
        key,
        references: [],
        indexes: [],
        sql: isView ? (facts['text'] ?? null) : null,
        fingerprint: null,
      },
    );
    return {
      names: location.schema === null ? [schema, name] : [name],
      schema,
      name,
      isView,
      columnTypes,
      columns: columns.map((column) => column.name),
      key: key?.map((column) => column.name) ?? null,
      bytes: null,
      skip: null,
      description: { ...description, keyFields: description.keyFields ?? ['row'] },
    };
  }

  #withState(
    table: SnowflakeTable,
    { facts }: ListedTable,
    states: ReadonlyMap<string, string | null>,
  ): SnowflakeTable {
    const { budget, filter } = this.#options;
    const fingerprint = states.get(nameOf(table)) ?? null;
    if (fingerprint === null && filter.tables.length === 0) {
      const skip =
        'an external table reveals no changes, so each sync would read it. Name it in `tables` to include it';
      return { ...table, skip };
    }
    const bytes = Number(facts['bytes'] ?? 0);
    return {
      ...table,
      bytes,
      skip: budget.refusalOf(bytes),
      description: { ...table.description, fingerprint },
    };
  }

  /** Adds what `explain` tells of the query of a view: its bytes, and the tables that it scans. */
  async #withCost(
    table: SnowflakeTable,
    { facts }: ListedTable,
    states: ReadonlyMap<string, string | null>,
    signal: AbortSignal,
  ): Promise<SnowflakeTable> {
    const { api, budget, location } = this.#options;
    const from = quoteIdentifier(location.database, table.schema, table.name);
    const plan = await api.tryAll(`explain using json select * from ${from}`, signal);
    if (typeof plan === 'string')
      return { ...table, skip: plan.replaceAll('\n', ' ').replace(/\.$/, '') };
    const scans = explainedScansOf(plan);
    const { bytes } = scans;
    // Without the tables of a secure view, its changes are unknown.
    const known = scans.scans.map(({ objects, ...size }) => [
      size,
      objects.map((name) => states.get(name.replace(`${location.database}.`, '')) ?? name),
    ]);
    const text = facts['text'] ?? '';
    const day = dependsOnTime.test(text) ? new Date().toISOString().slice(0, 10) : '';
    const digest = createHash('sha256').update(
      JSON.stringify([facts['created_on'], text, day, known]),
    );
    const fingerprint = scans.scans.length === 0 ? null : digest.digest('hex').slice(0, 32);
    return {
      ...table,
      bytes,
      skip: budget.refusalOf(bytes),
      description: { ...table.description, fingerprint },
    };
  }

  /** Returns the columns of all tables at once, or of each included table if there are too many. */
  async #columns(included: readonly ListedTable[], signal: AbortSignal): Promise<readonly Facts[]> {
    const { api, location } = this.#options;
    const [only, ...others] = included;
    const all = others.length === 0 ? null : await this.#showIn(this.#place, 'columns', signal);
    if (all !== null && all.length < maxShownRows) return all;
    const each = await mapInParallel(included, maxStatements, ({ schema, name }) => {
      const from = quoteIdentifier(location.database, schema, name);
      return api.all(`show columns in table ${from}`, signal);
    });
    return only === undefined ? [] : each.flat();
  }

  /** Lists everything of a kind, schema by schema if there is too much for one list, which the service would cut. */
  async #show(kind: string, signal: AbortSignal): Promise<readonly Facts[]> {
    const { database, schema } = this.#options.location;
    const all = await this.#showIn(this.#place, kind, signal);
    if (all.length < maxShownRows) return all;
    if (schema !== null) throw tooMany(kind, schema);
    const found: Facts[] = [];
    for (const name of await this.schemas(signal)) {
      const rows = await this.#showIn(`schema ${quoteIdentifier(database, name)}`, kind, signal);
      if (rows.length >= maxShownRows) throw tooMany(kind, name);
      found.push(...rows);
    }
    return found;
  }

  #showIn(place: string, kind: string, signal: AbortSignal): Promise<readonly Facts[]> {
    return this.#options.api.all(`show ${kind} in ${place}`, signal);
  }

  get #place(): string {
    const { database, schema } = this.#options.location;
    return schema === null
      ? `database ${quoteIdentifier(database)}`
      : `schema ${quoteIdentifier(database, schema)}`;
  }

  /** Returns the times of the last changes by table. */
  async #lastAltered(signal: AbortSignal): Promise<ReadonlyMap<string, SnowflakeCell>> {
    const { api, location, lastAltered } = this.#options;
    if (!lastAltered) return new Map();
    const from = `${quoteIdentifier(location.database)}.information_schema.tables`;
    const rows = await api.all(
      `select table_schema, table_name, last_altered from ${from}`,
      signal,
    );
    return new Map(
      rows.map((row) => [
        `${row['TABLE_SCHEMA']}.${row['TABLE_NAME']}`,
        row['LAST_ALTERED'] ?? null,
      ]),
    );
  }
}

const informationSchema = 'INFORMATION_SCHEMA';
/** SQL whose result may change without its tables. */
const dependsOnTime = /\b(?:current_|random\(|uuid_string|sysdate|getdate)/i;

/** A list that was cut would make the other tables count as deleted. */
function tooMany(kind: string, schema: string): TroveError {
  return new TroveError(
    'connector_unhealthy',
    `The schema ${schema} has ${maxShownRows} ${kind} or more, and Snowflake lists no further ones.`,
    { suggestions: [] },
  );
}

function nameOf({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${schema}.${name}`;
}

/** Returns what distinguishes the states of a table. Null if it does not reveal its changes. */
function stateOf(table: ListedTable, altered: ReadonlyMap<string, SnowflakeCell>): string | null {
  const { rows, bytes, created_on: createdOn } = table.facts;
  if (table.isView || rows === null || rows === undefined) return null;
  return [createdOn, rows, bytes, altered.get(nameOf(table)) ?? ''].join(' ');
}

function groupByTable(rows: readonly Facts[]): ReadonlyMap<string, readonly Facts[]> {
  const groups = new Map<string, Facts[]>();
  for (const row of rows) {
    const name = nameOf({ schema: row['schema_name'] ?? '', name: row['table_name'] ?? '' });
    const group = groups.get(name) ?? [];
    group.push(row);
    groups.set(name, group);
  }
  return groups;
}
