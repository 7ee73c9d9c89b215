import { createRequire } from 'node:module';
import { join } from 'node:path';

import { root } from '../../lib/workspaces.mjs';

/** Loads a dependency of the index's package. */
const dependency = createRequire(join(root, 'plugins/index-lancedb/package.json'));

process.env.LANCEDB_LOG ??= 'error';

/** LanceDB and Arrow, as Trove's index has them, with nothing of Trove around. */
export const lance = dependency('@lancedb/lancedb');
export const arrow = dependency('apache-arrow');

/** Opens the only table of a database. */
export async function openOnlyTable(database) {
  const connection = await lance.connect(database);
  const names = await connection.tableNames();
  if (names.length !== 1)
    throw new Error(`expected one table, found ${names.join(', ') || 'none'}`);
  return connection.openTable(names[0]);
}
