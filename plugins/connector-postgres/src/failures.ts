import { messageOf, type TroveError } from '@trove/core';
import { codeOf, serverFaultOf, unhealthy, type Fault } from '@trove/connector-kit';

import type { Place } from './place.js';

const STOPPED: Fault = {
  what: 'ended the connection',
  remedy: 'It is read again once it accepts connections.',
  passes: true,
};

const faults: Readonly<Record<string, Fault>> = {
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
    remedy: 'Check the user, and `password`: env:DB_PASSWORD, say.',
  },
  '28000': {
    what: 'does not let this user in from here',
    remedy: 'Check the user, `tls`, and `pg_hba.conf` on the server.',
  },
  '3D000': {
    what: 'does not exist on that server',
    remedy: 'Check the name of the database.',
  },
  '42501': {
    what: 'does not let this user read what is needed',
    remedy: 'Let it: GRANT USAGE ON SCHEMA …, GRANT SELECT ON … TO the user.',
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
};

const NO_PASSWORD: Fault = {
  what: 'asks for a password',
  remedy: 'Set `password`, best as a reference: env:DB_PASSWORD, say.',
};

/** What the driver threw, in a sentence that says what to do. */
export function unhealthyServer(thrown: unknown, { name }: Pick<Place, 'name'>): TroveError {
  const code = codeOf(thrown);
  const ofCode = Object.hasOwn(faults, code) ? faults[code] : serverFaultOf(thrown);
  const hasNone = /password must be a|empty password/i.test(messageOf(thrown));
  return unhealthy(thrown, name, hasNone ? NO_PASSWORD : ofCode);
}
