import type { TroveError } from '@trove/core';
import { codeOf, unhealthy, type Fault } from '@trove/connector-kit';

const ABSENT: Fault = {
  what: 'does not exist',
  remedy: 'Check the path: it names the database file, as in sqlite:///srv/app/data.db.',
};
const REFUSED: Fault = {
  what: 'must not be read',
  remedy: 'Let the user that runs Trove read the file and its folder.',
};
const NO_DATABASE: Fault = {
  what: 'is no SQLite database, or is encrypted',
  remedy: 'Name the file of a database that is not encrypted.',
};
const BUSY: Fault = {
  what: 'is locked by another process',
  remedy: 'Try again once that has ended its transaction.',
  passes: true,
};

const faults: Readonly<Record<string, Fault>> = {
  ENOENT: ABSENT,
  ENOTDIR: ABSENT,
  EISDIR: { what: 'is a folder', remedy: 'Name the database file in it.' },
  EACCES: REFUSED,
  EPERM: REFUSED,
  SQLITE_CANTOPEN: REFUSED,
  SQLITE_NOTADB: NO_DATABASE,
  SQLITE_CORRUPT: {
    what: 'is damaged',
    remedy: 'Restore it from a backup, or repair it with the `.recover` command of `sqlite3`.',
  },
  SQLITE_FULL: {
    what: 'has a view of more than 2 GiB, or there is no room for temporary files',
    remedy: 'Name the tables and views to take in with `tables`, or free some space.',
  },
  SQLITE_TOOBIG: {
    what: 'has a value of more than 256 MiB',
    remedy: 'Name the tables and views to take in with `tables`, without that one.',
  },
  SQLITE_BUSY: BUSY,
  SQLITE_LOCKED: BUSY,
};

/** What a driver or the file system threw, in a sentence that says what to do. */
export function unhealthyFile(thrown: unknown, path: string): TroveError {
  return unhealthy(thrown, `The database ${path}`, faults[codeOf(thrown)]);
}
