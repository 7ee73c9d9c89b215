import type { TroveError } from '@trove/core';
import { codeOf, toUnhealthyError, type SourceFault } from '@trove/connector-kit';

const missing: SourceFault = {
  problem: 'does not exist',
  remedy: 'Check the path of the database file. A target looks like sqlite:///srv/app/data.db.',
};
const refused: SourceFault = {
  problem: 'is not readable',
  remedy: 'Grant the user that runs Trove read access to the file and its folder.',
};
const notADatabase: SourceFault = {
  problem: 'is not a SQLite database, or is encrypted',
  remedy: 'Specify the file of an unencrypted database.',
};
const busy: SourceFault = {
  problem: 'is locked by another process',
  remedy: 'Try again after that process ends its transaction.',
  retryable: true,
};

const faults: Readonly<Record<string, SourceFault>> = {
  ENOENT: missing,
  ENOTDIR: missing,
  EISDIR: { problem: 'is a folder', remedy: 'Specify the database file in it.' },
  EACCES: refused,
  EPERM: refused,
  SQLITE_CANTOPEN: refused,
  SQLITE_NOTADB: notADatabase,
  SQLITE_CORRUPT: {
    problem: 'is damaged',
    remedy: 'Restore it from a backup, or repair it with the `.recover` command of `sqlite3`.',
  },
  SQLITE_FULL: {
    problem: 'has a view of more than 2 GiB, or the disk for temporary files is full',
    remedy:
      'List the tables and views to include in `tables`, without that view, or free disk space.',
  },
  SQLITE_TOOBIG: {
    problem: 'has a value of more than 256 MiB',
    remedy: 'List the tables and views to include in `tables`, without that one.',
  },
  SQLITE_BUSY: busy,
  SQLITE_LOCKED: busy,
};

/** Translates an error of SQLite or the file system into one with a remedy. */
export function toFileError(thrown: unknown, path: string): TroveError {
  return toUnhealthyError(thrown, `The database ${path}`, faults[codeOf(thrown)]);
}
