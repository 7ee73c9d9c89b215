import { isTroveError, messageOf, TroveError, type ErrorCode } from '../errors.js';

export interface Place {
  /** A description of the database without secrets: `The database at …`. */
  readonly name: string;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
}

interface Fault {
  /** Default `storage_unavailable`. */
  readonly code?: ErrorCode;
  readonly what: string;
  readonly remedy?: string;
  /** Whether the same call may succeed later without any intervention. */
  readonly passing?: boolean;
}

const CANNOT_OPEN: Fault = {
  what: 'cannot be opened or created',
  remedy: 'Check that its folder exists and may be written by the user that runs Trove.',
};
const READ_ONLY: Fault = {
  what: 'cannot be written: it is read-only',
  remedy: 'Let the user that runs Trove write the file and its folder.',
};
const NOT_A_DATABASE: Fault = {
  what: 'is damaged, or is no database',
  remedy:
    'Restore it from a backup, or move it away to start with an empty one and add the sources again.',
};
const BUSY: Fault = { what: 'is kept busy by another process', passing: true };
const DISK_FULL: Fault = {
  code: 'disk_full',
  what: 'cannot be written: the disk is full',
  remedy: 'Free some space; nothing that was written before is lost.',
};
const UNREACHABLE: Fault = {
  what: 'cannot be reached',
  remedy:
    'Check that PostgreSQL runs, that the connection string names its host and port, and that it accepts connections from here.',
  passing: true,
};
const REFUSED: Fault = {
  what: 'refused the user or the password',
  remedy: 'Check the user and the password in the connection string.',
};
const STOPPED: Fault = { what: 'ended the connection', passing: true };
const SLOW: Fault = { what: 'did not answer in time', passing: true };

const faults: Readonly<Record<string, Fault>> = {
  SQLITE_CANTOPEN: CANNOT_OPEN,
  EACCES: CANNOT_OPEN,
  EPERM: CANNOT_OPEN,
  EISDIR: CANNOT_OPEN,
  ENOTDIR: CANNOT_OPEN,
  ENOENT: CANNOT_OPEN,
  EEXIST: CANNOT_OPEN,
  SQLITE_READONLY: READ_ONLY,
  EROFS: READ_ONLY,
  ENOSPC: DISK_FULL,
  EDQUOT: DISK_FULL,
  SQLITE_FULL: DISK_FULL,
  SQLITE_CORRUPT: NOT_A_DATABASE,
  SQLITE_NOTADB: NOT_A_DATABASE,
  SQLITE_IOERR: { what: 'cannot be read or written: the disk reports an error' },
  SQLITE_BUSY: BUSY,
  SQLITE_LOCKED: BUSY,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EPIPE: UNREACHABLE,
  '28P01': REFUSED,
  '28000': REFUSED,
  '3D000': {
    what: 'does not exist on that server',
    remedy: 'Create it (`createdb NAME`), or name another one in the connection string.',
  },
  '42501': {
    what: 'does not let the user do what is needed',
    remedy: 'Grant the user CREATE on the schema and all rights on the tables of Trove.',
  },
  '25006': {
    what: 'is read-only',
    remedy: 'Name the primary server in the connection string, not a replica.',
  },
  '53100': DISK_FULL,
  '53300': { what: 'has no connection left', passing: true },
  '57P01': STOPPED,
  '57P02': STOPPED,
  '57P03': { what: 'is starting up or shutting down', passing: true },
  '57014': SLOW,
  '55P03': SLOW,
  '40P01': BUSY,
};

/** Converts any error of a driver to `storage_unavailable` or `disk_full`, without secrets. */
export function storageError(thrown: unknown, place: Place): TroveError {
  if (isTroveError(thrown)) return thrown;
  const code = codeOf(thrown);
  const message = redact(messageOf(thrown), place);
  const fault = faultOf(thrown, code, message);
  const detail =
    fault === undefined ? `${place.name} failed: ${message}` : `${place.name} ${fault.what}.`;
  return new TroveError(fault?.code ?? 'storage_unavailable', detail, {
    // The driver's own error is dropped: it may contain rows, the connection string or the password.
    cause: code === undefined ? new Error(message) : coded(code, message),
    retryable: fault?.passing ?? false,
    ...(fault?.remedy === undefined ? {} : { suggestions: [fault.remedy] }),
  });
}

function coded(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/** Faults that `pg` reports without a code. Tests of the PostgreSQL store compare each message with the source of `pg`. */
const byMessage: readonly (readonly [RegExp, Fault])[] = [
  [/timeout (?:expired|exceeded)|due to connection timeout/i, SLOW],
  [/connection (?:terminated|ended)|not queryable/i, STOPPED],
  [/password must be a string/i, REFUSED],
];

function faultOf(thrown: unknown, code: string | undefined, message: string): Fault | undefined {
  if (code !== undefined && Object.hasOwn(faults, code)) return faults[code];
  if (thrown instanceof Error && thrown.name === 'KnexTimeoutError') return SLOW;
  return byMessage.find(([words]) => words.test(message))?.[1];
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

function redact(message: string, place: Place): string {
  return place.secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), message);
}
