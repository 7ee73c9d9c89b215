import { isTroveError, messageOf, TroveError } from '@trove/core';
import { codeOf } from '@trove/connector-kit';

import type { SftpLocation } from './location.js';

const noSuchFile = 2;
const permissionDenied = 3;
const notSupported = 8;

const socketProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refuses connections',
  ECONNRESET: 'closed the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  ENOTFOUND: 'has no address',
  EAI_AGAIN: 'cannot be resolved at the moment',
  ETIMEDOUT: 'does not answer',
};

/** Creates an error with a remedy for a failed connection. */
export function connectionError(thrown: unknown, { host, port, user }: SftpLocation): TroveError {
  if (isTroveError(thrown)) return thrown;
  const level: unknown = Object(thrown).level;
  if (level === 'client-authentication') {
    return new TroveError(
      'connector_unhealthy',
      `${host} refuses the login of the user "${user}".`,
      {
        suggestions: [
          'Correct `user`, `private_key` or `password`. ssh shows which logins the server accepts.',
        ],
        cause: thrown,
      },
    );
  }
  if (thrown instanceof Error && /private ?key|passphrase/i.test(thrown.message)) {
    return new TroveError(
      'credential_error',
      `The private key cannot be used: ${thrown.message}.`,
      {
        suggestions: ['Correct `private_key`, and set `passphrase` for an encrypted key.'],
        cause: thrown,
      },
    );
  }
  const name = port === 22 ? host : `${host}:${port}`;
  const problem = socketProblems[codeOf(thrown)] ?? `could not be used (${messageOf(thrown)})`;
  return new TroveError('connector_unhealthy', `The SSH server ${name} ${problem}.`, {
    suggestions: ['Check the address and the network.'],
    retryable: true,
    cause: thrown,
  });
}

/** Creates an error for a failed request. `path` is '' for the root of the source. */
export function requestError(thrown: unknown, path: string, location: SftpLocation): TroveError {
  if (isTroveError(thrown)) return thrown;
  const status: unknown = Object(thrown).code;
  const shown = path === '' ? location.path || 'the home folder' : path.slice(0, 200);
  if (status === noSuchFile) {
    return path === ''
      ? new TroveError('connector_unhealthy', `There is no folder ${shown} on ${location.host}.`, {
          suggestions: ['Correct the path in the target.'],
        })
      : new TroveError('not_found', `There is nothing at "${shown}".`);
  }
  if (status === permissionDenied) {
    const detail = `The user "${location.user}" may not read "${shown}".`;
    return new TroveError(path === '' ? 'connector_unhealthy' : 'path_not_allowed', detail);
  }
  if (status === notSupported)
    return new TroveError('connector_unhealthy', `${location.host} does not support SFTP.`);
  return connectionError(thrown, location);
}
