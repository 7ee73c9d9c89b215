import { messageOf, type TroveError } from '@trove/core';

import { codeOf, toUnhealthyError, type SourceFault } from './failures.js';

/** The faults for which the drivers of several servers have codes of their own. */
export const serverFaults = {
  stopped: {
    problem: 'ended the connection',
    remedy: 'It is read again once it accepts connections.',
    retryable: true,
  },
  refused: {
    problem: 'refused the password',
    remedy: 'Check the user, and `password`: env:DB_PASSWORD, say.',
  },
  noPassword: {
    problem: 'asks for a password',
    remedy: 'Set `password`, best as a reference: env:DB_PASSWORD, say.',
  },
  full: {
    problem: 'has no connection left',
    remedy: 'Raise `max_connections`, or end some of those that are open.',
    retryable: true,
  },
  slow: {
    problem: 'took too long for a statement',
    remedy: 'Raise `timeout_s`, or name what to take in with `tables`, without that view.',
  },
  locked: {
    problem: 'has a table that another session has locked',
    remedy: 'It is read again once that has ended its transaction.',
    retryable: true,
  },
} as const satisfies Readonly<Record<string, SourceFault>>;

const unreachable: SourceFault = {
  problem: 'cannot be reached',
  remedy: 'Check that it runs, its host and port, and that it can be reached from here.',
  retryable: true,
};
const silent: SourceFault = { ...unreachable, problem: 'did not answer' };
const flooding: SourceFault = {
  problem: 'sent more than any answer has',
  remedy:
    'Check that the host and port are those of a database; and name what to take in, if there are very many tables.',
};
const unknownHost: SourceFault = {
  problem: 'cannot be reached: no host has that name',
  remedy: 'Check the host.',
};
const untrusted: SourceFault = {
  problem: 'has a certificate that is not trusted',
  remedy:
    'Name the certificate of its authority in `ca`, as file:/path, or set `tls` to "unverified" if you trust the network.',
};
const expired: SourceFault = {
  problem: 'has a certificate that has expired',
  remedy: 'Renew it on the server.',
};
const wrongHost: SourceFault = {
  problem: 'has a certificate for another host',
  remedy: 'Name the host as its certificate does.',
};
const unencrypted: SourceFault = {
  problem: 'offers no encryption',
  remedy: 'Set `tls` to "off" if nobody else can listen between here and there.',
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

/** These say more than a code: drivers have codes of their own, and a server that does not encrypt just hangs up. */
const byMessage: readonly (readonly [RegExp, SourceFault])[] = [
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

/** The fault of a failed connection to a server, by its message or else its code. Undefined for other errors. */
export function serverFaultOf(thrown: unknown): SourceFault | undefined {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const said = byMessage.find(([words]) => words.test(message))?.[1];
  return said ?? (Object.hasOwn(faults, code) ? faults[code] : undefined);
}

/** The faults of one kind of server, by their codes or, with precedence, by their messages. */
export interface FaultTable {
  readonly byCode: Readonly<Record<string, SourceFault>>;
  readonly byMessage: readonly (readonly [RegExp, SourceFault])[];
}

/** What the driver of a server threw, as an error that says what to do. `name` is the server or database in messages. */
export function toServerError(thrown: unknown, name: string, own: FaultTable): TroveError {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const fault =
    own.byMessage.find(([words]) => words.test(message))?.[1] ??
    (Object.hasOwn(own.byCode, code) ? own.byCode[code] : serverFaultOf(thrown));
  return toUnhealthyError(thrown, name, fault);
}
