import { messageOf, type TroveError } from '@trove/core';
import { codeOf, unhealthy, type Fault } from '@trove/connector-kit';

import type { Place } from './place.js';

const UNREACHABLE: Fault = {
  what: 'cannot be reached',
  remedy:
    'Check that it runs, its host and port in the target, and that it can be reached from here.',
  passes: true,
};
const UNTRUSTED: Fault = {
  what: 'has a certificate that is not trusted',
  remedy:
    'Name the certificate of its authority in `ca`, as file:/path, or set `tls` to "unverified" if you trust the network.',
};
const STOPPED: Fault = {
  what: 'ended the connection',
  remedy: 'It is read again once it accepts connections.',
  passes: true,
};

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ENOTFOUND: {
    what: 'cannot be reached: no host has that name',
    remedy: 'Check the host in the target.',
  },
  ECONNRESET: STOPPED,
  EPIPE: STOPPED,
  '57P01': STOPPED,
  '57P02': STOPPED,
  '57P05': STOPPED,
  '25P03': STOPPED,
  '25P04': STOPPED,
  '08006': STOPPED,
  '57P03': {
    what: 'is starting up or shutting down',
    remedy: 'Try again in a moment.',
    passes: true,
  },
  '53300': {
    what: 'has no connection left',
    remedy: 'Raise `max_connections`, or end some of those that are open.',
    passes: true,
  },
  '28P01': {
    what: 'refused the password',
    remedy: 'Check the user in the target, and `password`: env:DB_PASSWORD, say.',
  },
  '28000': {
    what: 'does not let this user in from here',
    remedy: 'Check the user in the target, `tls`, and `pg_hba.conf` on the server.',
  },
  '3D000': {
    what: 'does not exist on that server',
    remedy: 'Check the name of the database in the target.',
  },
  '42501': {
    what: 'does not let this user read what is needed',
    remedy: 'Let it: GRANT USAGE ON SCHEMA …, GRANT SELECT ON … TO the user in the target.',
  },
  '57014': {
    what: 'took too long for a statement',
    remedy: 'Raise `timeout_s`, or name what to take in with `tables`, without that view.',
  },
  '55P03': {
    what: 'has a table that another session has locked',
    remedy: 'It is read again once that has ended its transaction.',
    passes: true,
  },
  '40001': {
    what: 'is a standby that could not keep what was being read',
    remedy: 'It is read again; or name the primary server, or raise `max_standby_streaming_delay`.',
    passes: true,
  },
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: {
    what: 'has a certificate that has expired',
    remedy: 'Renew it on the server.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'has a certificate for another host',
    remedy: 'Name the host in the target as its certificate does.',
  },
};

/** What is told by its message alone. */
const byMessage: readonly (readonly [RegExp, Fault])[] = [
  [/timeout expired/i, { ...UNREACHABLE, what: 'did not answer' }],
  [/connection (?:terminated|ended)|not queryable/i, STOPPED],
  [
    /does not support SSL/i,
    {
      what: 'offers no encryption',
      remedy: 'Set `tls` to "off" if nobody else can listen between here and there.',
    },
  ],
  [
    /password must be a|empty password/i,
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
  const ofCode = Object.hasOwn(faults, code) ? faults[code] : undefined;
  return unhealthy(thrown, name, byMessage.find(([words]) => words.test(message))?.[1] ?? ofCode);
}
