import type { ErrorCode } from '../error-catalogue.js';
import { isTroveError, messageOf, TroveError } from '../errors.js';

export interface DatabaseDescription {
  /** A description of the database without secrets: `The database at …`. */
  readonly name: string;
  /** Strings that must not appear in any message. */
  readonly secrets: readonly string[];
}

interface DatabaseFault {
  /** Default `storage_unavailable`. */
  readonly code?: ErrorCode;
  readonly problem: string;
  readonly remedy?: string;
  /** The same call may succeed later without intervention. */
  readonly isTransient?: boolean;
}

const cannotOpen: DatabaseFault = {
  problem: 'cannot be opened or created',
  remedy: 'Check that its folder exists and that the user of the Trove process can write to it.',
};
const readOnly: DatabaseFault = {
  problem: 'cannot be written: it is read-only',
  remedy: 'Give the user of the Trove process write permission for the file and its folder.',
};
const notADatabase: DatabaseFault = {
  problem: 'is damaged, or is not a database',
  remedy:
    'Restore it from a backup, or move it away to start with an empty database and add the sources again.',
};
const busy: DatabaseFault = { problem: 'is locked by another process', isTransient: true };
const diskFull: DatabaseFault = {
  code: 'disk_full',
  problem: 'cannot be written: the disk is full',
  remedy: 'Free some space. No stored data is lost.',
};
const unreachable: DatabaseFault = {
  problem: 'cannot be reached',
  remedy:
    'Check that PostgreSQL is running, that the connection string has its host and port, and that it accepts connections from this machine.',
  isTransient: true,
};
const loginRefused: DatabaseFault = {
  problem: 'refused the user or the password',
  remedy: 'Check the user and the password in the connection string.',
};
const connectionEnded: DatabaseFault = { problem: 'ended the connection', isTransient: true };
const timedOut: DatabaseFault = { problem: 'did not respond in time', isTransient: true };

const faults: Readonly<Record<string, DatabaseFault>> = {
  SQLITE_CANTOPEN: cannotOpen,
  EACCES: cannotOpen,
  EPERM: cannotOpen,
  EISDIR: cannotOpen,
  ENOTDIR: cannotOpen,
  ENOENT: cannotOpen,
  EEXIST: cannotOpen,
  SQLITE_READONLY: readOnly,
  EROFS: readOnly,
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  SQLITE_FULL: diskFull,
  SQLITE_CORRUPT: notADatabase,
  SQLITE_NOTADB: notADatabase,
  SQLITE_IOERR: { problem: 'cannot be read or written because the disk reports an error' },
  SQLITE_BUSY: busy,
  SQLITE_LOCKED: busy,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  EPIPE: unreachable,
  '28P01': loginRefused,
  '28000': loginRefused,
  '3D000': {
    problem: 'does not exist on that server',
    remedy: 'Create it with `createdb NAME`, or correct the name in the connection string.',
  },
  '42501': {
    problem: 'denies the user a required permission',
    remedy: 'Grant the user CREATE on the schema and all privileges on the tables of Trove.',
  },
  '25006': {
    problem: 'is read-only',
    remedy: 'Use the primary server in the connection string, not a replica.',
  },
  '53100': diskFull,
  '53300': { problem: 'has no free connection', isTransient: true },
  '57P01': connectionEnded,
  '57P02': connectionEnded,
  '57P03': { problem: 'is starting up or shutting down', isTransient: true },
  '57014': timedOut,
  '55P03': timedOut,
  '40P01': busy,
};

/** Converts an error of a driver to `storage_unavailable` or `disk_full`, without secrets. */
export function storageError(thrown: unknown, place: DatabaseDescription): TroveError {
  if (isTroveError(thrown)) return thrown;
  const code = codeOf(thrown);
  const message = redact(messageOf(thrown), place);
  const fault = faultOf(thrown, code, message);
  const detail =
    fault === undefined ? `${place.name} failed: ${message}` : `${place.name} ${fault.problem}.`;
  return new TroveError(fault?.code ?? 'storage_unavailable', detail, {
    // The driver's error may contain rows, the connection string or the password, so it is dropped.
    cause: code === undefined ? new Error(message) : withCode(code, message),
    retryable: fault?.isTransient ?? false,
    ...(fault?.remedy === undefined ? {} : { suggestions: [fault.remedy] }),
  });
}

function withCode(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}

/**
 * Faults that `pg` reports without a code. Tests of the PostgreSQL store compare each message with the source of `pg`.
 */
const byMessage: readonly (readonly [RegExp, DatabaseFault])[] = [
  [/timeout (?:expired|exceeded)|due to connection timeout/i, timedOut],
  [/connection (?:terminated|ended)|not queryable/i, connectionEnded],
  [/password must be a string/i, loginRefused],
];

function faultOf(
  thrown: unknown,
  code: string | undefined,
  message: string,
): DatabaseFault | undefined {
  if (code !== undefined && Object.hasOwn(faults, code)) return faults[code];
  if (thrown instanceof Error && thrown.name === 'KnexTimeoutError') return timedOut;
  return byMessage.find(([words]) => words.test(message))?.[1];
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return codeOf(thrown.errors[0]);
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined;
}

function redact(message: string, place: DatabaseDescription): string {
  return place.secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), message);
}
