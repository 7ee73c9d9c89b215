import { messageOf } from '@trove/core';

import { codeOf, type Fault } from './failures.js';

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
const STOPPED: Fault = {
  what: 'ended the connection',
  remedy: 'It is read again once it accepts connections.',
  passes: true,
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
  ECONNRESET: STOPPED,
  EPIPE: STOPPED,
  PROTOCOL_CONNECTION_LOST: STOPPED,
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
    STOPPED,
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
