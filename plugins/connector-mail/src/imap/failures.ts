import { codeOf, unhealthy, type Fault } from '@trove/connector-kit';
import type { TroveError } from '@trove/core';

const UNREACHABLE: Fault = {
  what: 'cannot be reached',
  remedy: 'Check its host and port in the target, and that it can be reached from here.',
  passes: true,
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
const REFUSED: Fault = {
  what: 'refused the user or the password',
  remedy:
    'Check the user in the target, and `password`: env:MAIL_PASSWORD, say. Many providers want a password made for a single app.',
};

const faults: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  ETIMEOUT: UNREACHABLE,
  CONNECT_TIMEOUT: UNREACHABLE,
  GREETING_TIMEOUT: UNREACHABLE,
  GREEETING_TIMEOUT: UNREACHABLE,
  UPGRADE_TIMEOUT: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ENOTFOUND: {
    what: 'cannot be reached: no host has that name',
    remedy: 'Check the host in the target.',
  },
  ECONNRESET: STOPPED,
  EPIPE: STOPPED,
  EConnectionClosed: STOPPED,
  ClosedAfterConnectText: STOPPED,
  ClosedAfterConnectTLS: {
    what: 'ended the connection at once',
    remedy: 'Check its port in the target: 993 is for imaps://, 143 for imap://.',
  },
  NoConnection: STOPPED,
  ENotFinished: STOPPED,
  SearchFailed: {
    what: 'could not search a folder',
    remedy: 'It is asked again later.',
    passes: true,
  },
  EPROTO: {
    what: 'does not speak TLS at this port',
    remedy: 'Write imap:// in place of imaps://, or check the port in the target.',
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    what: 'does not speak TLS at this port',
    remedy: 'Write imap:// in place of imaps://, or check the port in the target.',
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: UNTRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  CERT_HAS_EXPIRED: { ...UNTRUSTED, what: 'has a certificate that has expired' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...UNTRUSTED,
    what: 'has a certificate for another host',
    remedy: 'Name the host in the target as its certificate does.',
  },
};

/** What the client threw, in a sentence that says what to do. `name`: which server. */
export function failure(thrown: unknown, name: string): TroveError {
  return unhealthy(thrown, name, faultOf(thrown));
}

/** Whether the server refused the user, or the secret. */
export function isRefused(thrown: unknown): boolean {
  return has(thrown, 'authenticationFailed');
}

function faultOf(thrown: unknown): Fault | undefined {
  if (isRefused(thrown)) return REFUSED;
  const said = thrown instanceof Error ? thrown.message : '';
  if (/STARTTLS/i.test(said)) {
    return {
      what: 'offers no encryption at this port',
      remedy: 'Write imaps:// in place of imap://, or set `tls` to "off" if you trust the network.',
    };
  }
  const answer = textOf(thrown);
  if (answer !== '')
    return { what: `says: ${answer}`, remedy: 'Try again in a moment.', passes: true };
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
