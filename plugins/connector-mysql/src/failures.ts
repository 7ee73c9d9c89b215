import { messageOf, type TroveError } from '@trove/core';
import { codeOf, serverFaultOf, unhealthy, type Fault } from '@trove/connector-kit';

import type { Place } from './place.js';

const REFUSED: Fault = {
  what: 'refused the password',
  remedy: 'Check the user, and `password`: env:DB_PASSWORD, say.',
};
const ABSENT: Fault = {
  what: 'does not exist on that server, or is hidden from this user',
  remedy: 'Check the name of the database, or GRANT SELECT ON it TO the user.',
};
const FORBIDDEN: Fault = {
  what: 'does not let this user read what is needed',
  remedy: 'Let it: GRANT SELECT ON the table or view TO the user.',
};
const SLOW: Fault = {
  what: 'took too long for a statement',
  remedy: 'Raise `timeout_s`, or name what to take in with `tables`, without that view.',
};
const FULL: Fault = {
  what: 'has no connection left',
  remedy: 'Raise `max_connections`, or end some of those that are open.',
  passes: true,
};

const faults: Readonly<Record<string, Fault>> = {
  ER_ACCESS_DENIED_ERROR: REFUSED,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: REFUSED,
  ER_BAD_DB_ERROR: ABSENT,
  ER_DBACCESS_DENIED_ERROR: ABSENT,
  ER_TABLEACCESS_DENIED_ERROR: FORBIDDEN,
  ER_COLUMNACCESS_DENIED_ERROR: FORBIDDEN,
  ER_VIEW_INVALID: {
    what: 'has a view that refers to what is gone, or to what the user may not read',
    remedy: 'Mend it, or name what to take in with `tables`, without it.',
  },
  ER_HOST_NOT_PRIVILEGED: {
    what: 'does not let anybody in from here',
    remedy: "Create the user for this host on the server: CREATE USER reader@'…'.",
  },
  ER_CON_COUNT_ERROR: FULL,
  ER_TOO_MANY_USER_CONNECTIONS: FULL,
  ER_USER_LIMIT_REACHED: FULL,
  ER_LOCK_WAIT_TIMEOUT: {
    what: 'has a table that another session has locked',
    remedy: 'It is read again once that has ended its transaction.',
    passes: true,
  },
  ER_QUERY_TIMEOUT: SLOW,
  ER_STATEMENT_TIMEOUT: SLOW,
};

const byMessage: readonly (readonly [RegExp, Fault])[] = [
  [/max_statement_time exceeded/i, SLOW],
  [
    /using password: NO/i,
    {
      what: 'asks for a password',
      remedy: 'Set `password`, best as a reference: env:DB_PASSWORD, say.',
    },
  ],
];

/** What the driver threw, in a sentence that says what to do. */
export function unhealthyServer(thrown: unknown, { name }: Pick<Place, 'name'>): TroveError {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const fault =
    byMessage.find(([words]) => words.test(message))?.[1] ??
    (Object.hasOwn(faults, code) ? faults[code] : serverFaultOf(thrown));
  return unhealthy(thrown, name, fault);
}
