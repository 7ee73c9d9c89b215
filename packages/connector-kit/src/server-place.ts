import { parseUri, TroveError } from '@trove/core';

/** Where a server is, and as whom it is entered. */
export interface ServerPlace {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

export interface ServerTarget {
  /** The port when the target names none. */
  readonly port: number;
  /** How many names of databases its path has, at least and at most. */
  readonly databases: readonly [least: number, most: number];
  /** A target as it should be. */
  readonly example: string;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/** What a target like `scheme://user@host:port/database` names. Throws `validation_error` when something is missing. */
export function placeOfServer(
  target: string,
  { port: usualPort, databases: [least, most], example }: ServerTarget,
): ServerPlace & { readonly databases: readonly string[] } {
  const { authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(authority.slice(at + 1)) ?? [];
  const host = bracketed ?? plain;
  const databases = path.split('/').slice(1);
  const missing = [
    ...(user === '' ? ['a user'] : []),
    ...(host === undefined ? ['a host'] : []),
    ...(databases.length < least || databases.length > most ? ['one database'] : []),
  ];
  if (host === undefined || missing.length > 0) {
    throw new TroveError('validation_error', `target: must name ${missing.join(' and ')}`, {
      suggestions: [`Write it like ${example}.`],
    });
  }
  return { host, port: digits === undefined ? usualPort : Number(digits), user, databases };
}

/** How a server is spoken to: without encryption, with it, or with a certificate that is checked. */
export type TlsMode = 'off' | 'unverified' | 'verify';

/** `wanted`: what the configuration says. Who speaks to this machine needs none. */
export function tlsModeOf({ host }: Pick<ServerPlace, 'host'>, wanted?: TlsMode): TlsMode {
  return wanted ?? (loopback.test(host) ? 'off' : 'verify');
}
