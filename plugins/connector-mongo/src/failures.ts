import { messageOf, TroveError } from '@trove/core';
import { serverFaultOf, serverFaults, unhealthy, type Fault } from '@trove/connector-kit';
import {
  MongoCompatibilityError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

import type { Place } from './place.js';

const { stopped, noPassword } = serverFaults;
const REFUSED: Fault = {
  what: 'refused the password',
  remedy:
    'Check the user, `password`: env:DB_PASSWORD, say, and `auth_source`: the database in which the user was created.',
};
const CHANGED: Fault = {
  what: 'has a collection that went away while it was read',
  remedy: 'It is read again at the next sync.',
  passes: true,
};
const LOST: Fault = {
  what: 'lost its place in what was read',
  remedy: 'It is read again.',
  passes: true,
};
const NO_MEMBER: Fault = {
  what: 'has no member that may be read from',
  remedy: 'Try again in a moment, or choose another `read_preference`.',
  passes: true,
};

/** By the number of an error. */
const faults: Readonly<Record<number, Fault>> = {
  13: {
    what: 'does not let this user read what is needed',
    remedy: 'Let it, in the shell: db.grantRolesToUser("reader", ["read"]), as the user.',
  },
  18: REFUSED,
  26: CHANGED,
  43: LOST,
  50: {
    what: 'took too long for an answer',
    remedy: 'Raise `timeout_s`, or name what to take in with `collections`, without that one.',
  },
  91: stopped,
  133: NO_MEMBER,
  134: NO_MEMBER,
  148: {
    what: 'has no read concern "majority"',
    remedy: 'Leave `read_concern` out.',
  },
  175: CHANGED,
  189: NO_MEMBER,
  237: LOST,
  292: {
    what: 'has a view that is too large to be sorted',
    remedy: 'Name what to take in with `collections`, without that view.',
  },
  10107: NO_MEMBER,
  11600: stopped,
  11601: { ...stopped, what: 'ended what was being read' },
  11602: stopped,
  13435: NO_MEMBER,
  13436: NO_MEMBER,
};

/** What Atlas says in words alone. */
const refusedByAtlas = 8000;
/** Cosmos DB, of which a part of its capacity was bought. */
const throttled = 16500;
const pauseMs = 1000;

const NEEDS_LOGIN: Fault = {
  what: 'asks for a user and a password',
  remedy: 'Name the user in the target, mongodb://reader@db.example.org/shop, and set `password`.',
};
const MEMBERS: Fault = {
  what: 'is a replica set whose members cannot be reached by the names that it gives',
  remedy: 'Make these names known here, or set `direct` to read from the named host alone.',
  passes: true,
};
const OLD: Fault = {
  what: 'is of a version that cannot be read',
  remedy: 'Update it: MongoDB 4.4 is the oldest.',
};
const ABSENT: Fault = {
  what: 'does not exist on that server, or is hidden from this user',
  remedy:
    'Check the name of the database, or let the user read it: db.grantRolesToUser("reader", ["read"]).',
};
const UNKNOWN_SRV: Fault = {
  what: 'cannot be found: DNS has no records of its servers',
  remedy: 'Check the host; or name the servers themselves, with mongodb://.',
};

/** What the driver threw, in a sentence that says what to do. */
export function unhealthyServer(
  thrown: unknown,
  { name, user, hasPassword }: Pick<Place, 'name' | 'user' | 'hasPassword'>,
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
  if (fault === faults[13] && user === '') return unhealthy(thrown, name, NEEDS_LOGIN);
  const hasNone = fault === REFUSED && !hasPassword;
  return unhealthy(thrown, name, hasNone ? noPassword : fault);
}

/** MongoDB has no empty databases. */
export function absentDatabase({ name }: Pick<Place, 'name'>): TroveError {
  return unhealthy(new Error('no collection'), name, ABSENT);
}

function faultOf(thrown: unknown, cause: unknown): Fault | undefined {
  if (cause instanceof MongoServerError) {
    const isRefused = cause.code === refusedByAtlas && /auth/i.test(cause.message);
    return isRefused ? REFUSED : faults[Number(cause.code)];
  }
  if (cause instanceof MongoCompatibilityError) return OLD;
  if (/querySrv|_mongodb\._tcp/.test(messageOf(cause))) return UNKNOWN_SRV;
  const isSet = thrown instanceof MongoServerSelectionError && Boolean(thrown.reason?.setName);
  if (isSet) return MEMBERS;
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
