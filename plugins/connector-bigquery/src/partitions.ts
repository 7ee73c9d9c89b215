import type { SourceState } from '@trove/core';

import type { BigQueryApi } from './api.js';
import type { TableInfo } from './answers.js';
import { quoteIdentifier } from './names.js';
import { fingerprintOf } from './table-info.js';

export interface Partition {
  readonly id: string;
  readonly bytes: number;
  readonly fingerprint: string;
}

/** A partitioned table at the time of a listing. */
interface PartitionedTable {
  readonly fingerprint: string;
  readonly partitions: readonly Partition[];
}

type KnownTables = Readonly<Record<string, PartitionedTable>>;

interface NamedTable {
  readonly schema: string;
  readonly name: string;
  readonly info: TableInfo;
}

/** The query of the metadata reads no more. The service bills at least 10 MB. */
const maxMetadataBytes = 100 * 1024 * 1024;
const maxStateChars = 900_000;

/**
 * The partitions of tables. Only a query tells them, and each costs the minimum of 10 MB. So they are kept until the free
 * facts of their table change.
 */
export class Partitions {
  readonly #api: BigQueryApi;
  readonly #project: string;
  readonly #state: SourceState;
  readonly #newest: number;
  #loaded: KnownTables = {};

  /** `newest` is the number of partitions of each table to include. */
  constructor(api: BigQueryApi, project: string, state: SourceState, newest: number) {
    this.#api = api;
    this.#project = project;
    this.#state = state;
    this.#newest = newest;
  }

  /** Returns the partitions of tables by `dataset.table`, newest first, and keeps them for the next listing. */
  async load(
    tables: readonly NamedTable[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Partition[]>> {
    const before = await this.#before();
    const isKnown = (table: NamedTable): boolean =>
      before[nameOf(table)]?.fingerprint === fingerprintOf(table.info);
    const found = new Map<string, readonly Partition[]>();
    for (const table of tables.filter(isKnown))
      found.set(nameOf(table), before[nameOf(table)]?.partitions ?? []);
    const changed = tables.filter((table) => !isKnown(table));
    for (const dataset of new Set(changed.map(({ schema }) => schema))) {
      const names = changed.filter(({ schema }) => schema === dataset).map(({ name }) => name);
      for (const [name, partitions] of await this.#request(dataset, names, signal))
        found.set(`${dataset}.${name}`, partitions);
    }
    this.#keep(tables, found);
    return new Map([...found].map(([name, all]) => [name, all.slice(0, this.#newest)]));
  }

  /** Returns the partitions of a table at the last listing. */
  async known(table: NamedTable, signal: AbortSignal): Promise<readonly Partition[]> {
    const tables = await this.#before();
    const partitions =
      tables[nameOf(table)]?.partitions ??
      (await this.#request(table.schema, [table.name], signal)).get(table.name) ??
      [];
    return partitions.slice(0, this.#newest);
  }

  async #before(): Promise<KnownTables> {
    if (Object.keys(this.#loaded).length > 0) return this.#loaded;
    const stored = await this.#state.get();
    return isKnownTables(stored) ? stored : {};
  }

  #keep(
    tables: readonly NamedTable[],
    partitions: ReadonlyMap<string, readonly Partition[]>,
  ): void {
    this.#loaded = Object.fromEntries(
      tables.map((table) => [
        nameOf(table),
        {
          fingerprint: fingerprintOf(table.info),
          partitions: partitions.get(nameOf(table)) ?? [],
        },
      ]),
    );
    if (JSON.stringify(this.#loaded).length <= maxStateChars) this.#state.set(this.#loaded);
  }

  async #request(
    dataset: string,
    tables: readonly string[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly Partition[]>> {
    const from = quoteIdentifier(this.#project, dataset, 'INFORMATION_SCHEMA', 'PARTITIONS');
    const query = `select table_name, partition_id, total_rows, total_logical_bytes, unix_millis(last_modified_time)
      from ${from} where table_name in unnest(@tables) order by table_name, partition_id desc`;
    const parameter = {
      name: 'tables',
      parameterType: { type: 'ARRAY', arrayType: { type: 'STRING' } },
      parameterValue: { arrayValues: tables.map((value) => ({ value })) },
    };
    const found = new Map<string, Partition[]>();
    for await (const page of this.#api.query(query, [parameter], maxMetadataBytes, signal)) {
      for (const { f: cells = [] } of page.rows ?? []) {
        const [table = '', id = '', rows = '', bytes = '', modified = ''] = cells.map(({ v }) =>
          typeof v === 'string' ? v : '',
        );
        const partitions = found.get(table) ?? [];
        partitions.push({ id, bytes: Number(bytes), fingerprint: `${modified} ${rows} ${bytes}` });
        found.set(table, partitions);
      }
    }
    return found;
  }
}

function nameOf({ schema, name }: NamedTable): string {
  return `${schema}.${name}`;
}

function isKnownTables(value: unknown): value is KnownTables {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every(
      (table: unknown) =>
        typeof table === 'object' &&
        table !== null &&
        'fingerprint' in table &&
        'partitions' in table &&
        Array.isArray(table.partitions),
    )
  );
}
