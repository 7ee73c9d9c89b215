import { messageOf, type TroveError } from '@trove/core';

import { codeOf, toUnhealthyError, type SourceFault } from './failures.js';

/** Faults of several servers, whose drivers report them with different codes. */
export const serverFaults = {
  stopped: {
    problem: 'ended the connection',
    remedy: 'Trove retries once the server accepts connections.',
    retryable: true,
  },
  refused: {
    problem: 'refused the password',
    remedy: 'Check the user and `password`, for example env:DB_PASSWORD.',
  },
  noPassword: {
    problem: 'requires a password',
    remedy: 'Set `password`, preferably as a reference such as env:DB_PASSWORD.',
  },
  full: {
    problem: 'has no free connection',
    remedy: 'Raise `max_connections` on the server, or close some connections.',
    retryable: true,
  },
  slow: {
    problem: 'exceeded the time limit of a statement',
    remedy: 'Raise `timeout_s`, or list the tables to include in `tables`, without that view.',
  },
  locked: {
    problem: 'has a table that another session locks',
    remedy: 'Trove retries after that session ends its transaction.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, SourceFault>>;

const unreachable: SourceFault = {
  problem: 'cannot be reached',
  remedy: 'Check that it runs, check its host and port, and check the network.',
  retryable: true,
};
const silent: SourceFault = { ...unreachable, problem: 'did not answer' };
const flooding: SourceFault = {
  problem: 'sent more data than any valid answer',
  remedy:
    'Check that the host and port belong to a database. If it has very many tables, list the ones to include.',
};
const unknownHost: SourceFault = {
  problem: 'cannot be reached because its host name does not exist',
  remedy: 'Check the host.',
};
const untrusted: SourceFault = {
  problem: 'has a certificate that is not trusted',
  remedy:
    'Set `ca` to the certificate of its authority, as file:/path. If you trust the network, set `tls` to "unverified" instead.',
};
const expired: SourceFault = {
  problem: 'has an expired certificate',
  remedy: 'Renew it on the server.',
};
const wrongHost: SourceFault = {
  problem: 'has a certificate for another host',
  remedy: 'Use the host name in its certificate.',
};
const unencrypted: SourceFault = {
  problem: 'offers no encryption',
  remedy: 'Set `tls` to "off" if you trust the network.',
};

const faults: Readonly<Record<string, SourceFault>> = {
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: silent,
  ENOTFOUND: unknownHost,
  ECONNRESET: serverFaults.stopped,
  EPIPE: serverFaults.stopped,
  PROTOCOL_CONNECTION_LOST: serverFaults.stopped,
  CERT_HAS_EXPIRED: expired,
  ERR_TLS_CERT_ALTNAME_INVALID: wrongHost,
  HANDSHAKE_NO_SSL_SUPPORT: unencrypted,
};

/** Checked before codes, because drivers have their own codes and a server without encryption only closes the connection. */
const byMessage: readonly (readonly [RegExp, SourceFault])[] = [
  // The receive limits of the SQL connectors and of MongoDB end a connection with these words.
  [/^sent too much$/, flooding],
  [/timeout expired|timed out/i, silent],
  [/does not support SSL|before secure TLS connection|wrong version number/i, unencrypted],
  [
    /connection (?:terminated|ended|lost|is in closed state)|pool .* cleared|not queryable|closed the connection/i,
    serverFaults.stopped,
  ],
  [/self.signed certificate|unable to (?:verify|get)[\w ]* (?:certificate|issuer)/i, untrusted],
  [/certificate has expired/i, expired],
  [/does not match certificate's altnames/i, wrongHost],
];

/** Returns the fault of a failed connection, by message or else by code. Returns undefined for other errors. */
export function serverFaultOf(thrown: unknown): SourceFault | undefined {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const messageFault = byMessage.find(([words]) => words.test(message))?.[1];
  return messageFault ?? (Object.hasOwn(faults, code) ? faults[code] : undefined);
}

/** The faults of one kind of server. Messages take precedence over codes. */
export interface FaultTable {
  readonly byCode: Readonly<Record<string, SourceFault>>;
  readonly byMessage: readonly (readonly [RegExp, SourceFault])[];
}

/** Translates an error of a driver into one with a remedy. `name` is the server or database in messages. */
export function toServerError(thrown: unknown, name: string, own: FaultTable): TroveError {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const fault =
    own.byMessage.find(([words]) => words.test(message))?.[1] ??
    (Object.hasOwn(own.byCode, code) ? own.byCode[code] : serverFaultOf(thrown));
  return toUnhealthyError(thrown, name, fault);
}
