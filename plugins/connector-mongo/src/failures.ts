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
    'Check the user, `password` (for example env:DB_PASSWORD), and `auth_source`, the database in which the user was created.',
};
const collectionGone: SourceFault = {
  problem: 'lost a collection during the read',
  remedy: 'The next sync reads it again.',
  retryable: true,
};
const cursorLost: SourceFault = {
  problem: 'lost the cursor of a read',
  remedy: 'Trove retries.',
  retryable: true,
};
const noReadableMember: SourceFault = {
  problem: 'has no readable member',
  remedy: 'Try again in a moment, or choose another `read_preference`.',
  retryable: true,
};

/** Faults by error number. */
const faults: Readonly<Record<number, SourceFault>> = {
  13: {
    problem: 'does not let this user read the required data',
    remedy:
      'Grant access in the shell: db.grantRolesToUser("reader", ["read"]), with the name of the user.',
  },
  18: refused,
  26: collectionGone,
  43: cursorLost,
  50: {
    problem: 'exceeded the time limit of a query',
    remedy:
      'Raise `timeout_s`, or list the collections to include in `collections`, without that one.',
  },
  91: stopped,
  133: noReadableMember,
  134: noReadableMember,
  148: {
    problem: 'does not support the read concern "majority"',
    remedy: 'Remove `read_concern`.',
  },
  175: collectionGone,
  189: noReadableMember,
  237: cursorLost,
  292: {
    problem: 'has a view that is too large to sort',
    remedy: 'List the collections to include in `collections`, without that view.',
  },
  10107: noReadableMember,
  11600: stopped,
  11601: { ...stopped, problem: 'ended a read' },
  11602: stopped,
  13435: noReadableMember,
  13436: noReadableMember,
};

/** Atlas reports the details only in the message. */
const refusedByAtlas = 8000;
/** Cosmos DB reports this at the limit of its provisioned throughput. */
const throttled = 16500;
const pauseMs = 1000;

const loginRequired: SourceFault = {
  problem: 'requires a user and a password',
  remedy: 'Name the user in the target, mongodb://reader@db.example.org/shop, and set `password`.',
};
const membersUnreachable: SourceFault = {
  problem: 'is a replica set whose members are unreachable by the names that it reports',
  remedy:
    'Make these names resolvable on this machine, or set `direct` to read only from the named host.',
  retryable: true,
};
const unsupportedVersion: SourceFault = {
  problem: 'has an unsupported version',
  remedy: 'Update it to MongoDB 4.4 or newer.',
};
const databaseMissing: SourceFault = {
  problem: 'does not exist on that server, or is hidden from this user',
  remedy:
    'Check the name of the database, or grant access: db.grantRolesToUser("reader", ["read"]).',
};
const unknownSrv: SourceFault = {
  problem: 'cannot be found because DNS has no records of its servers',
  remedy: 'Check the host, or list the servers in a mongodb:// target.',
};

/** Translates an error of the driver into one with a remedy. */
export function toMongoError(
  thrown: unknown,
  { name, user, hasPassword }: Pick<MongoLocation, 'name' | 'user' | 'hasPassword'>,
): TroveError {
  const cause = causeOf(thrown);
  if (cause instanceof MongoServerError && cause.code === throttled) {
    const [, retryAfter] = /RetryAfterMs=(\d+)/.exec(cause.message) ?? [];
    return new TroveError('connector_unhealthy', `${name} is at its throughput limit.`, {
      cause: thrown,
      retryable: true,
      retryAfterMs: retryAfter === undefined ? pauseMs : Number(retryAfter),
    });
  }
  const fault = faultOf(thrown, cause);
  if (fault === faults[13] && user === '') return toUnhealthyError(thrown, name, loginRequired);
  const hasNoPassword = fault === refused && !hasPassword;
  return toUnhealthyError(thrown, name, hasNoPassword ? noPassword : fault);
}

/** The error for a database without collections, because MongoDB has no empty databases. */
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
  const isReplicaSet =
    thrown instanceof MongoServerSelectionError && Boolean(thrown.reason?.setName);
  if (isReplicaSet) return membersUnreachable;
  return serverFaultOf(cause) ?? (cause instanceof MongoNetworkError ? stopped : undefined);
}

/** Returns the error that the driver has wrapped in its own. */
function causeOf(thrown: unknown): unknown {
  if (thrown instanceof MongoServerSelectionError) {
    const servers = [...(thrown.reason?.servers.values() ?? [])];
    const error = servers.find((server) => server.error !== null)?.error;
    return error === undefined || error === null ? thrown : causeOf(error);
  }
  return thrown instanceof Error && thrown.cause instanceof Error ? causeOf(thrown.cause) : thrown;
}
