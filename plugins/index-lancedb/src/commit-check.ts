import { createHash, randomBytes } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';
import { isDamaged } from './failures.js';

/*
 * Every commit is a file with the next number, made only if it is not there yet. A store that overwrites it instead loses,
 * without any error, the rows of whoever came first; some that call themselves compatible with S3 do. Half of the rows
 * below are lost on such a store.
 */

/** Tables that are none of the callers', whose names have no dot. */
const ownTablePrefix = 'trove.store.';
const roundCount = 2;
const writerCount = 6;
/** Nobody checks for longer. */
const abandonedAfterMs = 60 * 60 * 1000;

export function isOwnTable(name: string): boolean {
  return name.startsWith(ownTablePrefix);
}

/**
 * Makes sure that a store keeps what several processes commit at the same time, by doing so; the store remembers that it
 * passed. `place` says which store it is. Throws `config_invalid`.
 */
export async function checkCommits(
  place: string,
  connection: Connection,
  connectAgain: () => Promise<Connection>,
): Promise<void> {
  const names = await connection.tableNames({ startAfter: ownTablePrefix });
  const passed = `${ownTablePrefix}passed_${createHash('sha256').update(place).digest('hex').slice(0, 16)}`;
  if (names.includes(passed)) return;
  const probe = `${ownTablePrefix}probe_${Date.now()}_${randomBytes(6).toString('hex')}`;
  try {
    (await connection.createTable(probe, [{ writer: 'first' }])).close();
    for (let round = 1; round <= roundCount; round++) {
      const rows = await rowsAfter(probe, connectAgain).catch((error: unknown) => {
        // A commit that was overwritten between being listed and being read looks damaged.
        throw isDamaged(error) ? commitsLost(place) : error;
      });
      if (rows !== 1 + round * writerCount) throw commitsLost(place);
    }
  } finally {
    await connection.dropTable(probe).catch(() => undefined);
  }
  await removeAbandoned(connection, names);
  const remembered = [{ checked_at: new Date().toISOString() }];
  (await connection.createTable(passed, remembered, { existOk: true })).close();
}

/** How many rows a table has after several writers, none of whom knows of the others, have each added one. */
async function rowsAfter(name: string, connectAgain: () => Promise<Connection>): Promise<number> {
  const connections = await Promise.all(Array.from({ length: writerCount }, connectAgain));
  const tables: Table[] = [];
  try {
    tables.push(...(await Promise.all(connections.map((each) => each.openTable(name)))));
    const added = await Promise.allSettled(
      tables.map((table, writer) => table.add([{ writer: String(writer) }])),
    );
    for (const each of added) if (each.status === 'rejected') throw each.reason;
    const [table] = tables;
    await table?.checkoutLatest();
    return (await table?.countRows()) ?? 0;
  } finally {
    for (const table of tables) table.close();
    for (const each of connections) each.close();
  }
}

/** What processes that died have left. */
async function removeAbandoned(connection: Connection, names: readonly string[]): Promise<void> {
  const isAbandoned = (name: string): boolean => {
    const [, started] = name.split('probe_');
    return Date.now() - Number.parseInt(started ?? '', 10) > abandonedAfterMs;
  };
  for (const name of names.filter((each) => isOwnTable(each) && isAbandoned(each))) {
    await connection.dropTable(name).catch(() => undefined);
  }
}

function commitsLost(place: string): TroveError {
  return new TroveError(
    'config_invalid',
    `index.uri: ${place} loses rows: it overwrites files that must not be overwritten (it ignores \`If-None-Match: *\`)`,
    {
      suggestions: [
        'Use a store with conditional writes, such as Amazon S3, Google Cloud Storage, Azure Blob Storage or Ceph; or a newer version of this one.',
        'Keep the index in a folder: `[index].uri` may be a path.',
      ],
    },
  );
}
