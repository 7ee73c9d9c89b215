import type { Query, TakeQuery, VectorQuery } from '@lancedb/lancedb';
import type { Vector } from 'apache-arrow';
import { loadLance, type LanceModule } from './lance.js';

/** The values of a column: a typed array for numbers without nulls, otherwise one value per row. */
export type ColumnValues = Float32Array | Float64Array | BigUint64Array | readonly unknown[];

/** Some rows of a query result as columns. */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, ColumnValues>;
}

/**
 * Runs a query and returns its rows in order. Stops after the batch that completes `maxRows`, without waiting for the
 * end of the stream.
 */
export async function readBatches(
  query: Query | TakeQuery | VectorQuery,
  execution: { readonly maxBatchLength?: number } = {},
  maxRows = Infinity,
): Promise<ColumnBatch[]> {
  const lance = loadLance();
  const answer = await lance.run(query, execution);
  const batches: ColumnBatch[] = [];
  let rows = 0;
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) {
    const batch = readBatch(lance, bytes);
    batches.push(batch);
    rows += batch.rows;
    if (rows < maxRows) continue;
    // LanceDB retains the native query until its end is requested. Errors there affect no row.
    void answer.next().catch(() => null);
    break;
  }
  return batches;
}

export function rowsIn(batches: readonly ColumnBatch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0);
}

function readBatch({ arrow }: LanceModule, bytes: Uint8Array): ColumnBatch {
  const table = arrow.tableFromIPC(bytes);
  const columns = new Map<string, ColumnValues>();
  for (const { name } of table.schema.fields) {
    const vector = table.getChild(name);
    if (vector !== null) columns.set(name, valuesOf(vector));
  }
  return { rows: table.numRows, columns };
}

function valuesOf(vector: Vector): ColumnValues {
  const whole: unknown = vector.nullCount === 0 ? vector.toArray() : null;
  const isNumbers =
    whole instanceof Float32Array ||
    whole instanceof Float64Array ||
    whole instanceof BigUint64Array;
  return isNumbers ? whole : [...vector];
}
