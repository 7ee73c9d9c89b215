import { codeOf, toUnhealthyError, type SourceFault } from '@trove/connector-kit';
import type { TroveError } from '@trove/core';

const unreachable: SourceFault = {
  problem: 'cannot be reached',
  remedy: 'Check its host and port in the target, and that it can be reached from here.',
  retryable: true,
};
const stopped: SourceFault = {
  problem: 'ended the connection',
  remedy: 'It is read again once it accepts connections.',
  retryable: true,
};
const untrusted: SourceFault = {
  problem: 'has a certificate that is not trusted',
  remedy:
    'Name the certificate of its authority in `ca`, as file:/path, or set `tls` to "unverified" if you trust the network.',
};
const refused: SourceFault = {
  problem: 'refused the user or the password',
  remedy:
    'Check the user in the target, and `password`: env:MAIL_PASSWORD, say. Many providers want a password made for a single app.',
};

const faults: Readonly<Record<string, SourceFault>> = {
  ECONNREFUSED: unreachable,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ETIMEDOUT: unreachable,
  ETIMEOUT: unreachable,
  CONNECT_TIMEOUT: unreachable,
  GREETING_TIMEOUT: unreachable,
  GREEETING_TIMEOUT: unreachable,
  UPGRADE_TIMEOUT: unreachable,
  EAI_AGAIN: unreachable,
  ENOTFOUND: {
    problem: 'cannot be reached: no host has that name',
    remedy: 'Check the host in the target.',
  },
  ECONNRESET: stopped,
  EPIPE: stopped,
  EConnectionClosed: stopped,
  ClosedAfterConnectText: stopped,
  ClosedAfterConnectTLS: {
    problem: 'ended the connection at once',
    remedy: 'Check its port in the target: 993 is for imaps://, 143 for imap://.',
  },
  NoConnection: stopped,
  ENotFinished: stopped,
  SearchFailed: {
    problem: 'could not search a folder',
    remedy: 'It is asked again later.',
    retryable: true,
  },
  EPROTO: {
    problem: 'does not speak TLS at this port',
    remedy: 'Write imap:// in place of imaps://, or check the port in the target.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    problem: 'does not speak TLS at this port',
    remedy: 'Write imap:// in place of imaps://, or check the port in the target.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: { ...untrusted, problem: 'has a certificate that has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    problem: 'has a certificate for another host',
    remedy: 'Name the host in the target as its certificate does.',
  },
};

/** What the client threw, in a sentence that says what to do. `name`: which server. */
export function toImapError(thrown: unknown, name: string): TroveError {
  return toUnhealthyError(thrown, name, faultOf(thrown));
}

/** Whether the server refused the user, or the secret. */
export function isRefused(thrown: unknown): boolean {
  return has(thrown, 'authenticationFailed');
}

function faultOf(thrown: unknown): SourceFault | undefined {
  if (isRefused(thrown)) return refused;
  const said = thrown instanceof Error ? thrown.message : '';
  if (/STARTTLS/i.test(said)) {
    return {
      problem: 'offers no encryption at this port',
      remedy: 'Write imaps:// in place of imap://, or set `tls` to "off" if you trust the network.',
    };
  }
  const answer = textOf(thrown);
  if (answer !== '')
    return { problem: `says: ${answer}`, remedy: 'Try again in a moment.', retryable: true };
  return faults[codeOf(thrown)];
}

/** What the server said to a command that it refused. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('responseText' in thrown)) return '';
  return typeof thrown.responseText === 'string' ? thrown.responseText.slice(0, 300) : '';
}

function has(thrown: unknown, member: string): boolean {
  return typeof thrown === 'object' && thrown !== null && Object.hasOwn(thrown, member);
}
