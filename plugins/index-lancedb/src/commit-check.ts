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
const internalPrefix = 'trove.store.';
const roundCount = 2;
const writerCount = 6;
/** Checks end earlier than this. */
const abandonedAfterMs = 60 * 60 * 1000;

export function isInternalTable(name: string): boolean {
  return name.startsWith(internalPrefix);
}

/**
 * Checks that a store keeps concurrent commits of several processes, by making some. The store records the success.
 * `store` is its name in messages. Throws `config_invalid`.
 */
export async function checkCommits(
  store: string,
  connection: Connection,
  connectAgain: () => Promise<Connection>,
): Promise<void> {
  const names = await connection.tableNames({ startAfter: internalPrefix });
  const passed = `${internalPrefix}passed_${createHash('sha256').update(store).digest('hex').slice(0, 16)}`;
  if (names.includes(passed)) return;
  const probe = `${internalPrefix}probe_${Date.now()}_${randomBytes(6).toString('hex')}`;
  try {
    (await connection.createTable(probe, [{ writer: 'first' }])).close();
    for (let round = 1; round <= roundCount; round++) {
      const rows = await countRowsAfterWrites(probe, connectAgain).catch((error: unknown) => {
        // A commit that was overwritten between listing and reading looks damaged.
        throw isDamaged(error) ? commitsLostError(store) : error;
      });
      if (rows !== 1 + round * writerCount) throw commitsLostError(store);
    }
  } finally {
    await connection.dropTable(probe).catch(() => undefined);
  }
  await removeAbandoned(connection, names);
  const successRecord = [{ checked_at: new Date().toISOString() }];
  (await connection.createTable(passed, successRecord, { existOk: true })).close();
}

/** Counts the rows of a table after several independent writers have each added one. */
async function countRowsAfterWrites(
  name: string,
  connectAgain: () => Promise<Connection>,
): Promise<number> {
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
  for (const name of names.filter((each) => isInternalTable(each) && isAbandoned(each))) {
    await connection.dropTable(name).catch(() => undefined);
  }
}

function commitsLostError(store: string): TroveError {
  return new TroveError(
    'config_invalid',
    `index.uri: ${store} loses rows: it overwrites files that must not be overwritten (it ignores \`If-None-Match: *\`)`,
    {
      suggestions: [
        'Use a store with conditional writes, such as Amazon S3, Google Cloud Storage, Azure Blob Storage or Ceph, or a newer version of this one.',
        'Keep the index in a folder: `[index].uri` may be a path.',
      ],
    },
  );
}
