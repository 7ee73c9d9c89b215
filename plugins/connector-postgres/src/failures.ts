import { serverFaults, type FaultTable } from '@trove/connector-kit';

const { stopped, refused, noPassword, full, slow, locked } = serverFaults;

export const faults: FaultTable = {
  byCode: {
    '57P01': stopped,
    '57P02': stopped,
    '57P05': stopped,
    '25P03': stopped,
    '25P04': stopped,
    '08006': stopped,
    '57P03': {
      problem: 'is starting up or shutting down',
      remedy: 'Try again in a moment.',
      retryable: true,
    },
    '53300': full,
    '28P01': refused,
    '28000': {
      problem: 'does not accept this user from this host',
      remedy: 'Check the user, `tls`, and `pg_hba.conf` on the server.',
    },
    '3D000': {
      problem: 'does not exist on that server',
      remedy: 'Check the name of the database.',
    },
    '42501': {
      problem: 'does not let this user read the required data',
      remedy: 'Grant access: GRANT USAGE ON SCHEMA …, GRANT SELECT ON … TO the user.',
    },
    '57014': slow,
    '55P03': locked,
    '40001': {
      problem: 'is a standby that cancelled the read because of a conflict with recovery',
      remedy:
        'Trove retries. You can also use the primary server, or raise `max_standby_streaming_delay`.',
      retryable: true,
    },
  },
  byMessage: [[/password must be a|empty password/i, noPassword]],
};
