import type { Query, TakeQuery, VectorQuery } from '@lancedb/lancedb';
import type { Vector } from 'apache-arrow';
import { loadLance, type LanceModule } from './lance.js';

/** The values of a column: a typed array for numbers without nulls, otherwise one value per row. */
export type Values = Float32Array | Float64Array | BigUint64Array | readonly unknown[];

/** Some of the rows that a query returned, as columns. */
export interface Batch {
  readonly rows: number;
  readonly columns: ReadonlyMap<string, Values>;
}

/**
 * Runs a query and returns its rows in order. `most`: the maximum number of rows. Once they have arrived, nothing waits for
 * the end of the answer.
 */
export async function answerTo(
  query: Query | TakeQuery | VectorQuery,
  execution: { readonly maxBatchLength?: number } = {},
  most = Infinity,
): Promise<Batch[]> {
  const lance = loadLance();
  const answer = await lance.run(query, execution);
  const batches: Batch[] = [];
  let rows = 0;
  for (let bytes = await answer.next(); bytes !== null; bytes = await answer.next()) {
    const batch = readBatch(lance, bytes);
    batches.push(batch);
    rows += batch.rows;
    if (rows < most) continue;
    // The native query is kept until its end is requested. An error in that concerns no row.
    void answer.next().catch(() => null);
    break;
  }
  return batches;
}

export function rowsIn(batches: readonly Batch[]): number {
  return batches.reduce((sum, { rows }) => sum + rows, 0);
}

function readBatch({ arrow }: LanceModule, bytes: Uint8Array): Batch {
  const table = arrow.tableFromIPC(bytes);
  const columns = new Map<string, Values>();
  for (const { name } of table.schema.fields) {
    const vector = table.getChild(name);
    if (vector !== null) columns.set(name, valuesOf(vector));
  }
  return { rows: table.numRows, columns };
}

function valuesOf(vector: Vector): Values {
  const whole: unknown = vector.nullCount === 0 ? vector.toArray() : null;
  const isNumbers =
    whole instanceof Float32Array ||
    whole instanceof Float64Array ||
    whole instanceof BigUint64Array;
  return isNumbers ? whole : [...vector];
}
