import { parseUri, TroveError, type ConnectorContext } from '@trove/core';

import type { SftpConfig } from './config.js';

export type SftpContext = Pick<
  ConnectorContext<SftpConfig>,
  'config' | 'credentials' | 'target' | 'signal'
>;

/** The folder of a source on another machine. */
export interface SftpLocation {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absolute path without a final slash; '' for the home folder of the user. */
  readonly path: string;
}

const defaultPort = 22;

/** Finds machine, user and folder of a source. Throws `validation_error` without a host, and `config_invalid` without a user. */
export function locationOf({ target, config }: SftpContext): SftpLocation {
  const { authority, path } = parseUri(target);
  const [, user, bracketed, name, port] =
    /^(?:([^@]*)@)?(?:\[([\da-f:.]+)\]|([^:@[\]]+))(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  const host = config.host ?? bracketed ?? name;
  if (host === undefined || user?.includes(':') === true) {
    throw new TroveError('validation_error', `target: is not a folder of another machine`, {
      suggestions: ['Write it like sftp://ada@files.example.com/srv/docs, without a password.'],
    });
  }
  const login = config.user ?? user;
  if (login === undefined || login === '') {
    throw new TroveError('config_invalid', 'There is no user name for the SSH server.', {
      suggestions: [`Write sftp://USER@${host}${path}, or set \`user\`.`],
    });
  }
  const hasOwnHost = config.host !== undefined;
  const ownPort = hasOwnHost ? undefined : port;
  return { host, port: config.port ?? Number(ownPort ?? defaultPort), user: login, path };
}
