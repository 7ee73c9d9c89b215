import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const lance = require('@lancedb/lancedb');

/** The copy that LanceDB itself loads, because it does not accept classes of another one. */
export const arrow = require('apache-arrow');

/** Opens the only table of a database. */
export async function openOnlyTable(database) {
  const connection = await lance.connect(database);
  const names = await connection.tableNames();
  if (names.length !== 1)
    throw new Error(`expected one table, found ${names.join(', ') || 'none'}`);
  return connection.openTable(names[0]);
}
