import { parseUri, TroveError } from '@trove/core';

/** A server and the user that logs in. */
export interface ImapServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Whether the connection starts encrypted. Otherwise it switches to encryption with STARTTLS before the login. */
  readonly isEncrypted: boolean;
  readonly isLocal: boolean;
}

/** Parses a target such as `imaps://ada@example.org@imap.example.org:993`. The last `@` ends the user. Throws `validation_error`. */
export function parseTarget(target: string): ImapServer {
  const { scheme, authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  const [, host = '', port] = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(authority.slice(at + 1)) ?? [];
  if (host === '' || user === '' || path !== '') {
    throw new TroveError('validation_error', 'target: must name a user and a host, but no folder', {
      suggestions: [
        `Write it like ${scheme}://ada@imap.example.org, and list folders in \`folders\`.`,
      ],
    });
  }
  const isEncrypted = scheme === 'imaps';
  return {
    host: host.replaceAll(/^\[|\]$/g, ''),
    port: port === undefined ? (isEncrypted ? 993 : 143) : Number(port),
    user,
    isEncrypted,
    isLocal: /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host),
  };
}
