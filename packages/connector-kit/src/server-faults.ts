import { messageOf, type TroveError } from '@trove/core';

import { codeOf, unhealthy, type Fault } from './failures.js';

/** The faults for which the drivers of several servers have codes of their own. */
export const serverFaults = {
  stopped: {
    what: 'ended the connection',
    remedy: 'It is read again once it accepts connections.',
    passes: true,
  },
  refused: {
    what: 'refused the password',
    remedy: 'Check the user, and `password`: env:DB_PASSWORD, say.',
  },
  noPassword: {
    what: 'asks for a password',
    remedy: 'Set `password`, best as a reference: env:DB_PASSWORD, say.',
  },
  full: {
    what: 'has no connection left',
    remedy: 'Raise `max_connections`, or end some of those that are open.',
    passes: true,
  },
  slow: {
    what: 'took too long for a statement',
    remedy: 'Raise `timeout_s`, or name what to take in with `tables`, without that view.',
  },
  locked: {
    what: 'has a table that another session has locked',
    remedy: 'It is read again once that has ended its transaction.',
    passes: true,
  },
} as const satisfies Readonly<Record<string, Fault>>;

const UNREACHABLE: Fault = {
  what: 'cannot be reached',
  remedy: 'Check that it runs, its host and port, and that it can be reached from here.',
  passes: true,
};
const SILENT: Fault = { ...UNREACHABLE, what: 'did not answer' };
const FLOODING: Fault = {
  what: 'sent more than any answer has',
  remedy:
    'Check that the host and port are those of a database; and name what to take in, if there are very many tables.',
};
const UNKNOWN: Fault = {
  what: 'cannot be reached: no host has that name',
  remedy: 'Check the host.',
};
const UNTRUSTED: Fault = {
  what: 'has a certificate that is not trusted',
  remedy:
    'Name the certificate of its authority in `ca`, as file:/path, or set `tls` to "unverified" if you trust the network.',
};
const EXPIRED: Fault = {
  what: 'has a certificate that has expired',
  remedy: 'Renew it on the server.',
};
const MISNAMED: Fault = {
  what: 'has a certificate for another host',
  remedy: 'Name the host as its certificate does.',
};
const PLAIN: Fault = {
  what: 'offers no encryption',
  remedy: 'Set `tls` to "off" if nobody else can listen between here and there.',
};

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: SILENT,
  ENOTFOUND: UNKNOWN,
  ECONNRESET: serverFaults.stopped,
  EPIPE: serverFaults.stopped,
  PROTOCOL_CONNECTION_LOST: serverFaults.stopped,
  CERT_HAS_EXPIRED: EXPIRED,
  ERR_TLS_CERT_ALTNAME_INVALID: MISNAMED,
  HANDSHAKE_NO_SSL_SUPPORT: PLAIN,
};

/** These say more than a code: drivers have codes of their own, and a server that does not encrypt just hangs up. */
const byMessage: readonly (readonly [RegExp, Fault])[] = [
  [/^sent too much$/, FLOODING],
  [/timeout expired|timed out/i, SILENT],
  [/does not support SSL|before secure TLS connection|wrong version number/i, PLAIN],
  [
    /connection (?:terminated|ended|lost|is in closed state)|pool .* cleared|not queryable|closed the connection/i,
    serverFaults.stopped,
  ],
  [/self.signed certificate|unable to (?:verify|get)[\w ]* (?:certificate|issuer)/i, UNTRUSTED],
  [/certificate has expired/i, EXPIRED],
  [/does not match certificate's altnames/i, MISNAMED],
];

/** The fault of a failed connection to a server, by its message or else its code. Undefined for other errors. */
export function serverFaultOf(thrown: unknown): Fault | undefined {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const said = byMessage.find(([words]) => words.test(message))?.[1];
  return said ?? (Object.hasOwn(faults, code) ? faults[code] : undefined);
}

/** The faults of one kind of server, by their codes or, with precedence, by their messages. */
export interface FaultTable {
  readonly byCode: Readonly<Record<string, Fault>>;
  readonly byMessage: readonly (readonly [RegExp, Fault])[];
}

/** What the driver of a server threw, as an error that says what to do. `name` is the server or database in messages. */
export function unhealthyServer(thrown: unknown, name: string, own: FaultTable): TroveError {
  const message = messageOf(thrown);
  const code = codeOf(thrown);
  const fault =
    own.byMessage.find(([words]) => words.test(message))?.[1] ??
    (Object.hasOwn(own.byCode, code) ? own.byCode[code] : serverFaultOf(thrown));
  return unhealthy(thrown, name, fault);
}
