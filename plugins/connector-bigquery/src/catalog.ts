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

import type { BigQueryApi } from './api.js';
import type { TableField, TableInfo, TableReference } from './answers.js';
import type { BigQueryLocation } from './location.js';
import { quoteIdentifier } from './names.js';
import type { Partition, Partitions } from './partitions.js';
import {
  columnOf,
  dependsOnTime,
  fingerprintOf,
  isPartitioned,
  isTable,
  isView,
  referencesOf,
} from './table-info.js';

/** Requests that run at the same time. The service allows 100 per second. */
const maxRequests = 8;

/** A table, view or partition. */
export interface BigQueryTable extends ScannedTable {
  readonly dataset: string;
  readonly name: string;
  /** The name that `tabledata.list` reads. Null: the rows need a query. */
  readonly listed: string | null;
  readonly fields: readonly TableField[];
}

interface BigQueryCatalogOptions {
  readonly api: BigQueryApi;
  readonly location: BigQueryLocation;
  readonly filter: TableFilter;
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly budget: ByteBudget;
  readonly partitions: Partitions;
}

interface FoundTable {
  readonly dataset: string;
  readonly name: string;
  /** A sentence: the reason why its facts are not available. */
  readonly info: TableInfo | string;
  readonly partitions: readonly Partition[] | undefined;
}

/** Facts by `dataset.table`. */
type KnownFacts = ReadonlyMap<string, TableInfo | string | null>;

/** The tables and views of a project. All requests for them are free. */
export class BigQueryCatalog {
  readonly #options: BigQueryCatalogOptions;

  constructor(options: BigQueryCatalogOptions) {
    this.#options = options;
  }

  /** Returns the names of the included datasets. */
  async datasets(signal: AbortSignal): Promise<readonly string[]> {
    const { api, location, filter } = this.#options;
    if (location.dataset !== null) return [location.dataset];
    const all = await api.datasets(signal);
    return filter.schemas.length === 0 ? all : filter.schemas.filter((name) => all.includes(name));
  }

  /** Returns the included tables, views and partitions, ordered by name. */
  async tables(signal: AbortSignal): Promise<readonly BigQueryTable[]> {
    const { api, filter } = this.#options;
    const datasets = await this.datasets(signal);
    const names = await mapInParallel(datasets, maxRequests, async (dataset) => {
      const listed = await api.tables(dataset, signal);
      if (listed === null && dataset === this.#options.location.dataset)
        throw new TroveError('connector_unhealthy', `The project has no dataset ${dataset}.`);
      return (listed ?? [])
        .map(({ tableReference, type }) => ({
          schema: dataset,
          name: tableReference.tableId,
          type,
        }))
        .filter((table) => isIncluded(filter, table, isView(table.type)));
    });
    const found = await mapInParallel(names.flat(), maxRequests, async ({ schema, name }) => ({
      schema,
      name,
      info: await api.table(schema, name, signal),
    }));
    const partitioned = found.filter(
      (each): each is typeof each & { readonly info: TableInfo } =>
        isTable(each.info) && isPartitioned(each.info),
    );
    const partitions = await this.#options.partitions.load(partitioned, signal);
    const known = new Map(found.map(({ schema, name, info }) => [`${schema}.${name}`, info]));
    const tables = await mapInParallel(found, maxRequests, async ({ schema, name, info }) => {
      if (info === null) return [];
      const own = partitions.get(`${schema}.${name}`);
      return this.#tablesOf({ dataset: schema, name, info, partitions: own }, known, signal);
    });
    return tables.flat().toSorted((a, b) => (a.names.join('\n') < b.names.join('\n') ? -1 : 1));
  }

  /** Returns one table, view or partition, or null. */
  async table(names: readonly string[], signal: AbortSignal): Promise<BigQueryTable | null> {
    const { api, location, filter, partitions } = this.#options;
    const [dataset = '', name = '', id] =
      location.dataset === null ? names : [location.dataset, ...names];
    if (dataset === '' || name === '') return null;
    const info = await api.table(dataset, name, signal);
    if (info === null) return null;
    const view = isTable(info) && isView(info.type);
    if (!isIncluded(filter, { schema: dataset, name }, view)) return null;
    const own =
      isTable(info) && isPartitioned(info)
        ? await partitions.known({ schema: dataset, name, info }, signal)
        : undefined;
    const found = { dataset, name, info, partitions: own };
    const tables = await this.#tablesOf(found, new Map(), signal);
    return tables.find((table) => table.names.at(-1) === (id ?? name)) ?? null;
  }

  /** Returns a table, or the table with its partitions. `known`: the facts of other tables. */
  async #tablesOf(
    { dataset, name, info, partitions }: FoundTable,
    known: KnownFacts,
    signal: AbortSignal,
  ): Promise<readonly BigQueryTable[]> {
    const { location, budget, filter } = this.#options;
    const names = location.dataset === null ? [dataset, name] : [name];
    if (typeof info === 'string') return [skipped(dataset, name, names, info)];
    const isExternal = info.type === 'EXTERNAL';
    if (isExternal && filter.tables.length === 0) {
      const reason =
        'an external table reveals no changes, so each sync would be billed for a query. Name it in `tables` to include it';
      return [skipped(dataset, name, names, reason)];
    }
    const table = this.#describe(dataset, name, names, info);
    if (isExternal || isView(info.type)) return [await this.#withCost(table, info, known, signal)];
    if (partitions === undefined) {
      const bytes = Number(info.numBytes ?? 0);
      return [{ ...table, listed: name, bytes, skip: budget.refusalOf(bytes) }];
    }
    return [
      { ...table, holds: 'schema' },
      ...partitions.map((partition): BigQueryTable => ({
        ...table,
        names: [...names, partition.id],
        holds: 'records',
        listed: `${name}$${partition.id}`,
        bytes: partition.bytes,
        skip: budget.refusalOf(partition.bytes),
        description: { ...table.description, fingerprint: partition.fingerprint },
      })),
    ];
  }

  #describe(
    dataset: string,
    name: string,
    names: readonly string[],
    info: TableInfo,
  ): BigQueryTable {
    const fields = info.schema?.fields ?? [];
    const columns = fields.map(columnOf);
    const key = this.#keyOf(dataset, name, info, columns);
    const sql = info.view?.query ?? info.materializedView?.query ?? null;
    const description = describeTable(
      { isShown: () => true },
      {
        schema: dataset,
        name,
        kind: isView(info.type) ? 'view' : 'table',
        comment: info.description ?? null,
        columns,
        key,
        references: referencesOf(info),
        indexes: [],
        sql,
        fingerprint: fingerprintOf(info),
      },
    );
    return {
      names,
      dataset,
      name,
      fields,
      columns: fields.map((field) => field.name),
      key: key?.map((column) => column.name) ?? null,
      listed: null,
      bytes: null,
      skip: null,
      description: { ...description, keyFields: description.keyFields ?? ['row'] },
    };
  }

  #keyOf(
    dataset: string,
    name: string,
    info: TableInfo,
    columns: readonly CatalogColumn[],
  ): readonly CatalogColumn[] | null {
    const names =
      this.#options.keys[`${dataset}.${name}`] ??
      this.#options.keys[name] ??
      info.tableConstraints?.primaryKey?.columns ??
      [];
    const key = names.flatMap((each) => columns.find((column) => column.name === each) ?? []);
    return key.length === names.length && key.length > 0 ? key : null;
  }

  /** Adds the cost of the rows, which need a query, and a fingerprint of the tables that this query reads. */
  async #withCost(
    table: BigQueryTable,
    info: TableInfo,
    known: KnownFacts,
    signal: AbortSignal,
  ): Promise<BigQueryTable> {
    const { api, budget, location } = this.#options;
    const from = quoteIdentifier(location.project, table.dataset, table.name);
    const cost = await api.dryRun(`select * from ${from}`, signal);
    if (typeof cost === 'string') return { ...table, skip: cost.replace(/\.$/, '') };
    const times = isView(info.type)
      ? await this.#timesOf(cost.tables ?? [], known, signal)
      : [null];
    const sql = info.view?.query ?? info.materializedView?.query ?? '';
    const day = dependsOnTime.test(sql) ? new Date().toISOString().slice(0, 10) : '';
    const facts = [sql, day, ...times];
    const fingerprint =
      cost.tables === null || times.includes(null)
        ? null
        : createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 32);
    return {
      ...table,
      bytes: cost.bytes,
      skip: budget.refusalOf(cost.bytes),
      description: { ...table.description, fingerprint },
    };
  }

  /** Returns what distinguishes the states of tables. Null for a table that does not reveal its changes. */
  #timesOf(
    tables: readonly TableReference[],
    known: KnownFacts,
    signal: AbortSignal,
  ): Promise<readonly (string | null)[]> {
    const { api, location } = this.#options;
    return mapInParallel(tables, maxRequests, async ({ projectId, datasetId, tableId }) => {
      if (projectId !== location.project) return null;
      const info =
        known.get(`${datasetId}.${tableId}`) ?? (await api.table(datasetId, tableId, signal));
      return isTable(info) && info.type === 'TABLE' ? fingerprintOf(info) : null;
    });
  }
}

function skipped(
  dataset: string,
  name: string,
  names: readonly string[],
  reason: string,
): BigQueryTable {
  return {
    names,
    dataset,
    name,
    skip: reason.replace(/\.$/, ''),
    listed: null,
    fields: [],
    columns: [],
    key: null,
    bytes: null,
    description: { keyFields: null, schema: {}, fingerprint: null },
  };
}
