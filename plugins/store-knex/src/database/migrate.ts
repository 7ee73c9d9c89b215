import { TroveError } from '@trove/core';

import type { Database, StoreDialect, StoreSession } from './types.js';
import { number } from './values.js';

/** Returns the statements that upgrade the previous schema. Migrations are numbered 1, 2, … by position. */
export type Migration = (dialect: StoreDialect) => readonly string[];

/**
 * Migrates the tables of one component. Several processes may start at once: one migrates while the others wait.
 * Rejects with `storage_unavailable` when the database is newer than this code.
 */
export async function migrate(
  database: Database,
  component: string,
  migrations: readonly Migration[],
): Promise<void> {
  const table = `trove_${component}_migrations`;
  await database.write(async (session) => {
    await session.run(database.dialect.exclude);
    await session.run(
      `create table if not exists ${table} (version bigint primary key, applied_at bigint not null)`,
    );
    const version = await currentVersion(session, table);
    if (version > migrations.length) throw tooNew(component, version, migrations.length);
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      for (const statement of migration(database.dialect)) await session.run(statement);
      await session.run(
        `insert into ${table} (version, applied_at) values (:version, ${database.dialect.now})`,
        { version: index + 1 },
      );
    }
  });
}

async function currentVersion(session: StoreSession, table: string): Promise<number> {
  const [row] = await session.all(`select coalesce(max(version), 0) as version from ${table}`);
  return row === undefined ? 0 : number(row, 'version');
}

function tooNew(component: string, found: number, known: number): TroveError {
  return new TroveError(
    'storage_unavailable',
    `The ${component} database was written by a newer version of Trove: its schema is ${found}, this version knows ${known}.`,
    { suggestions: ['Update Trove, or name another database.'] },
  );
}
