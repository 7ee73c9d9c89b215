import type { TroveError } from '@trove/core';
import { codeOf, toUnhealthyError, type SourceFault } from '@trove/connector-kit';

const missing: SourceFault = {
  problem: 'does not exist',
  remedy: 'Check the path: it names the database file, as in sqlite:///srv/app/data.db.',
};
const refused: SourceFault = {
  problem: 'must not be read',
  remedy: 'Let the user that runs Trove read the file and its folder.',
};
const notADatabase: SourceFault = {
  problem: 'is no SQLite database, or is encrypted',
  remedy: 'Name the file of a database that is not encrypted.',
};
const busy: SourceFault = {
  problem: 'is locked by another process',
  remedy: 'Try again once that has ended its transaction.',
  retryable: true,
};

const faults: Readonly<Record<string, SourceFault>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: { problem: 'is a folder', remedy: 'Name the database file in it.' },
  EACCES: refused,
  EPERM: refused,
  SQLITE_CANTOPEN: refused,
  SQLITE_NOTADB: notADatabase,
  SQLITE_CORRUPT: {
    problem: 'is damaged',
    remedy: 'Restore it from a backup, or repair it with the `.recover` command of `sqlite3`.',
  },
  SQLITE_FULL: {
    problem: 'has a view of more than 2 GiB, or there is no room for temporary files',
    remedy: 'Name the tables and views to take in with `tables`, or free some space.',
  },
  SQLITE_TOOBIG: {
    problem: 'has a value of more than 256 MiB',
    remedy: 'Name the tables and views to take in with `tables`, without that one.',
  },
  SQLITE_BUSY: busy,
  SQLITE_LOCKED: busy,
};

/** What a driver or the file system threw, in a sentence that says what to do. */
export function toFileError(thrown: unknown, path: string): TroveError {
  return toUnhealthyError(thrown, `The database ${path}`, faults[codeOf(thrown)]);
}
