import { connect, type Table } from '@lancedb/lancedb';
import { silentLogger } from '@trove/core';
import { testWorkers } from '@trove/testkit';
import type { CollectionSpec } from '@trove/core/index';
import { spec } from '@trove/test-support/index-rows.js';
import { LanceCollection } from '../src/collection.js';
import { LanceIndex } from '../src/database.js';
import { Recovery } from '../src/recovery.js';
import type { TableHandle } from '../src/table-handle.js';

export async function withCollection(
  folder: string,
  run: (collection: LanceCollection) => Promise<void>,
  opened: CollectionSpec = spec,
): Promise<void> {
  const index = await LanceIndex.connect({
    uri: folder,
    logger: silentLogger,
    workers: testWorkers,
  });
  try {
    await run(await index.collection(opened));
  } finally {
    await index.close();
  }
}

/** Opens the table through the LanceDB API. */
export async function withTable(
  folder: string,
  look: (table: Table) => Promise<void>,
): Promise<void> {
  const connection = await connect(folder);
  await look(await connection.openTable('default'));
  connection.close();
}

/** Returns the location of an open table outside a local folder. */
export function placeOf(table: TableHandle): ConstructorParameters<typeof LanceCollection>[1] {
  return { table, recovery: new Recovery(table, null), folder: null };
}
