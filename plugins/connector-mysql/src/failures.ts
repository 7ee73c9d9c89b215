import { serverFaults, type SourceFault, type FaultTable } from '@trove/connector-kit';

const { refused, noPassword, full, slow, locked } = serverFaults;
const absent: SourceFault = {
  problem: 'does not exist on that server, or is hidden from this user',
  remedy: 'Check the name of the database, or grant the user SELECT on it.',
};
const forbidden: SourceFault = {
  problem: 'does not let this user read the required data',
  remedy: 'Grant the user SELECT on the table or view.',
};

export const faults: FaultTable = {
  byCode: {
    ER_ACCESS_DENIED_ERROR: refused,
    ER_ACCESS_DENIED_NO_PASSWORD_ERROR: refused,
    ER_BAD_DB_ERROR: absent,
    ER_DBACCESS_DENIED_ERROR: absent,
    ER_TABLEACCESS_DENIED_ERROR: forbidden,
    ER_COLUMNACCESS_DENIED_ERROR: forbidden,
    ER_VIEW_INVALID: {
      problem: 'has a view that refers to a missing or unreadable table',
      remedy: 'Repair the view, or list the tables to include in `tables`, without it.',
    },
    ER_HOST_NOT_PRIVILEGED: {
      problem: 'does not accept connections from this host',
      remedy: "Create the user for this host on the server: CREATE USER reader@'…'.",
    },
    ER_CON_COUNT_ERROR: full,
    ER_TOO_MANY_USER_CONNECTIONS: full,
    ER_USER_LIMIT_REACHED: full,
    ER_LOCK_WAIT_TIMEOUT: locked,
    ER_QUERY_TIMEOUT: slow,
    ER_STATEMENT_TIMEOUT: slow,
  },
  byMessage: [
    [/max_statement_time exceeded/i, slow],
    [/using password: NO/i, noPassword],
  ],
};
