import { codeOf, toUnhealthyError, type SourceFault } from '@trove/connector-kit';
import type { TroveError } from '@trove/core';

const unreachable: SourceFault = {
  problem: 'cannot be reached',
  remedy: 'Check its host and port in the target, and check the network.',
  retryable: true,
};
const stopped: SourceFault = {
  problem: 'ended the connection',
  remedy: 'Trove retries once the server accepts connections.',
  retryable: true,
};
const untrusted: SourceFault = {
  problem: 'has a certificate that is not trusted',
  remedy:
    'Set `ca` to the certificate of its authority, as file:/path. If you trust the network, set `tls` to "unverified" instead.',
};
const refused: SourceFault = {
  problem: 'refused the user or the password',
  remedy:
    'Check the user in the target and `password`, for example env:MAIL_PASSWORD. Many providers require an app password.',
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
    problem: 'cannot be reached because its host name does not exist',
    remedy: 'Check the host in the target.',
  },
  ECONNRESET: stopped,
  EPIPE: stopped,
  EConnectionClosed: stopped,
  ClosedAfterConnectText: stopped,
  ClosedAfterConnectTLS: {
    problem: 'ended the connection immediately',
    remedy: 'Check the port in the target. The default is 993 for imaps:// and 143 for imap://.',
  },
  NoConnection: stopped,
  ENotFinished: stopped,
  SearchFailed: {
    problem: 'could not search a folder',
    remedy: 'Trove retries later.',
    retryable: true,
  },
  EPROTO: {
    problem: 'does not speak TLS at this port',
    remedy: 'Write imap:// instead of imaps://, or check the port in the target.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    problem: 'does not speak TLS at this port',
    remedy: 'Write imap:// instead of imaps://, or check the port in the target.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: { ...untrusted, problem: 'has an expired certificate' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    problem: 'has a certificate for another host',
    remedy: 'Use the host name of its certificate in the target.',
  },
};

/** Translates an error of the client into one with a remedy. `name` is the server in messages. */
export function toImapError(thrown: unknown, name: string): TroveError {
  return toUnhealthyError(thrown, name, faultOf(thrown));
}

/** Returns whether the server rejected the user or the secret. */
export function isRefused(thrown: unknown): boolean {
  return has(thrown, 'authenticationFailed');
}

function faultOf(thrown: unknown): SourceFault | undefined {
  if (isRefused(thrown)) return refused;
  const message = thrown instanceof Error ? thrown.message : '';
  if (/STARTTLS/i.test(message)) {
    return {
      problem: 'offers no encryption at this port',
      remedy:
        'Write imaps:// instead of imap://. If you trust the network, set `tls` to "off" instead.',
    };
  }
  const serverText = textOf(thrown);
  if (serverText !== '')
    return {
      problem: `answered: ${serverText}`,
      remedy: 'Try again in a moment.',
      retryable: true,
    };
  return faults[codeOf(thrown)];
}

/** Returns the server's text about a failed command, or ''. */
function textOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null || !('responseText' in thrown)) return '';
  return typeof thrown.responseText === 'string' ? thrown.responseText.slice(0, 300) : '';
}

function has(thrown: unknown, member: string): boolean {
  return typeof thrown === 'object' && thrown !== null && Object.hasOwn(thrown, member);
}
