import { connect } from '@lancedb/lancedb';

/** Opens the only table of a database. */
export async function openOnlyTable(database) {
  const connection = await connect(database);
  const names = await connection.tableNames();
  if (names.length !== 1)
    throw new Error(`expected one table, found ${names.join(', ') || 'none'}`);
  return connection.openTable(names[0]);
}
