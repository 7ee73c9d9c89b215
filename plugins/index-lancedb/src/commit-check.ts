import { createHash, randomBytes } from 'node:crypto';
import type { Connection, Table } from '@lancedb/lancedb';
import { TroveError } from '@trove/core';
import { isDamaged } from './failures.js';

/*
 * Each commit creates a file with the next number if it does not exist. A store that overwrites the file instead loses
 * the rows of the earlier writer without an error. Some S3-compatible stores do. On such a store, half of the rows
 * below are lost.
 */

/** The prefix of internal tables. Collections have no dot in their names. */
const ownTablePrefix = 'trove.store.';
const roundCount = 2;
const writerCount = 6;
/** Checks end earlier than this. */
const abandonedAfterMs = 60 * 60 * 1000;

export function isOwnTable(name: string): boolean {
  return name.startsWith(ownTablePrefix);
}

/**
 * Checks that a store keeps concurrent commits of several processes, by making some. The store records the success.
 * `place` names the store. Throws `config_invalid`.
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
        // A commit that was overwritten between listing and reading looks damaged.
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

/** Counts the rows of a table after several independent writers have each added one. */
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

/** Removes tables of processes that died. */
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
        'Use a store with conditional writes, such as Amazon S3, Google Cloud Storage, Azure Blob Storage or Ceph, or a newer version of this one.',
        'Keep the index in a folder: `[index].uri` may be a path.',
      ],
    },
  );
}
