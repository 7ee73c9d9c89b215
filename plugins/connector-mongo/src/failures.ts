import { messageOf, TroveError } from '@trove/core';
import {
  serverFaultOf,
  serverFaults,
  toUnhealthyError,
  type SourceFault,
} from '@trove/connector-kit';
import {
  MongoCompatibilityError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

import type { MongoLocation } from './location.js';

const { stopped, noPassword } = serverFaults;
const refused: SourceFault = {
  problem: 'refused the password',
  remedy:
    'Check the user, `password`: env:DB_PASSWORD, say, and `auth_source`: the database in which the user was created.',
};
const collectionGone: SourceFault = {
  problem: 'has a collection that went away while it was read',
  remedy: 'It is read again at the next sync.',
  retryable: true,
};
const cursorLost: SourceFault = {
  problem: 'lost its place in what was read',
  remedy: 'It is read again.',
  retryable: true,
};
const noReadableMember: SourceFault = {
  problem: 'has no member that may be read from',
  remedy: 'Try again in a moment, or choose another `read_preference`.',
  retryable: true,
};

/** By the number of an error. */
const faults: Readonly<Record<number, SourceFault>> = {
  13: {
    problem: 'does not let this user read what is needed',
    remedy: 'Let it, in the shell: db.grantRolesToUser("reader", ["read"]), as the user.',
  },
  18: refused,
  26: collectionGone,
  43: cursorLost,
  50: {
    problem: 'took too long for an answer',
    remedy: 'Raise `timeout_s`, or name what to take in with `collections`, without that one.',
  },
  91: stopped,
  133: noReadableMember,
  134: noReadableMember,
  148: {
    problem: 'has no read concern "majority"',
    remedy: 'Leave `read_concern` out.',
  },
  175: collectionGone,
  189: noReadableMember,
  237: cursorLost,
  292: {
    problem: 'has a view that is too large to be sorted',
    remedy: 'Name what to take in with `collections`, without that view.',
  },
  10107: noReadableMember,
  11600: stopped,
  11601: { ...stopped, problem: 'ended what was being read' },
  11602: stopped,
  13435: noReadableMember,
  13436: noReadableMember,
};

/** What Atlas says in words alone. */
const refusedByAtlas = 8000;
/** Cosmos DB, of which a part of its capacity was bought. */
const throttled = 16500;
const pauseMs = 1000;

const loginRequired: SourceFault = {
  problem: 'asks for a user and a password',
  remedy: 'Name the user in the target, mongodb://reader@db.example.org/shop, and set `password`.',
};
const membersUnreachable: SourceFault = {
  problem: 'is a replica set whose members cannot be reached by the names that it gives',
  remedy: 'Make these names known here, or set `direct` to read from the named host alone.',
  retryable: true,
};
const unsupportedVersion: SourceFault = {
  problem: 'is of a version that cannot be read',
  remedy: 'Update it: MongoDB 4.4 is the oldest.',
};
const databaseMissing: SourceFault = {
  problem: 'does not exist on that server, or is hidden from this user',
  remedy:
    'Check the name of the database, or let the user read it: db.grantRolesToUser("reader", ["read"]).',
};
const unknownSrv: SourceFault = {
  problem: 'cannot be found: DNS has no records of its servers',
  remedy: 'Check the host; or name the servers themselves, with mongodb://.',
};

/** What the driver threw, in a sentence that says what to do. */
export function toMongoError(
  thrown: unknown,
  { name, user, hasPassword }: Pick<MongoLocation, 'name' | 'user' | 'hasPassword'>,
): TroveError {
  const cause = causeOf(thrown);
  if (cause instanceof MongoServerError && cause.code === throttled) {
    const [, asked] = /RetryAfterMs=(\d+)/.exec(cause.message) ?? [];
    return new TroveError('connector_unhealthy', `${name} has more to do than it may.`, {
      cause: thrown,
      retryable: true,
      retryAfterMs: asked === undefined ? pauseMs : Number(asked),
    });
  }
  const fault = faultOf(thrown, cause);
  if (fault === faults[13] && user === '') return toUnhealthyError(thrown, name, loginRequired);
  const hasNone = fault === refused && !hasPassword;
  return toUnhealthyError(thrown, name, hasNone ? noPassword : fault);
}

/** MongoDB has no empty databases. */
export function missingDatabaseError({ name }: Pick<MongoLocation, 'name'>): TroveError {
  return toUnhealthyError(new Error('no collection'), name, databaseMissing);
}

function faultOf(thrown: unknown, cause: unknown): SourceFault | undefined {
  if (cause instanceof MongoServerError) {
    const isRefused = cause.code === refusedByAtlas && /auth/i.test(cause.message);
    return isRefused ? refused : faults[Number(cause.code)];
  }
  if (cause instanceof MongoCompatibilityError) return unsupportedVersion;
  if (/querySrv|_mongodb\._tcp/.test(messageOf(cause))) return unknownSrv;
  const isSet = thrown instanceof MongoServerSelectionError && Boolean(thrown.reason?.setName);
  if (isSet) return membersUnreachable;
  return serverFaultOf(cause) ?? (cause instanceof MongoNetworkError ? stopped : undefined);
}

/** What the driver met, of which it tells in errors of its own. */
function causeOf(thrown: unknown): unknown {
  if (thrown instanceof MongoServerSelectionError) {
    const servers = [...(thrown.reason?.servers.values() ?? [])];
    const error = servers.find((server) => server.error !== null)?.error;
    return error === undefined || error === null ? thrown : causeOf(error);
  }
  return thrown instanceof Error && thrown.cause instanceof Error ? causeOf(thrown.cause) : thrown;
}
