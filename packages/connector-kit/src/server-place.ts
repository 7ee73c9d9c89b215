import { parseUri, TroveError } from '@trove/core';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a server is, and as whom it is entered. */
export interface ServerPlace extends ServerAddress {
  /** '' for nobody. */
  readonly user: string;
  /** All that the target names; the first is `host` and `port`. */
  readonly addresses: readonly ServerAddress[];
}

export interface ServerTarget {
  /** The port when the target names none. */
  readonly port: number;
  /** How many names of databases its path has, at least and at most. */
  readonly databases: readonly [least: number, most: number];
  /** A target as it should be. */
  readonly example: string;
  /** Default false: it names a user. */
  readonly mayBeAnonymous?: boolean;
  /** Whether it may name several hosts, with commas between them. Default false. */
  readonly mayHaveSeveralHosts?: boolean;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/** What a target like `scheme://user@host:port/database` names. Throws `validation_error` when something is missing. */
export function placeOfServer(
  target: string,
  {
    port: usualPort,
    databases: [least, most],
    example,
    mayBeAnonymous = false,
    mayHaveSeveralHosts = false,
  }: ServerTarget,
): ServerPlace & { readonly databases: readonly string[] } {
  const { authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  const hosts = authority.slice(at + 1);
  const named = mayHaveSeveralHosts ? hosts.split(',') : [hosts];
  const addresses = named.map((each) => addressIn(each, usualPort)).filter((each) => each !== null);
  const [first] = addresses;
  const databases = path.split('/').slice(1);
  const missing = [
    ...(user === '' && !mayBeAnonymous ? ['a user'] : []),
    ...(addresses.length < named.length ? ['a host'] : []),
    ...(databases.length < least || databases.length > most ? ['one database'] : []),
  ];
  if (first === undefined || missing.length > 0) {
    throw new TroveError('validation_error', `target: must name ${missing.join(' and ')}`, {
      suggestions: [`Write it like ${example}.`],
    });
  }
  return { ...first, addresses, user, databases };
}

function addressIn(text: string, usualPort: number): ServerAddress | null {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return null;
  return { host, port: digits === undefined ? usualPort : Number(digits) };
}

/** How a server is spoken to: without encryption, with it, or with a certificate that is checked. */
export type TlsMode = 'off' | 'unverified' | 'verify';

/** `wanted`: what the configuration says. Who speaks to this machine needs none. */
export function tlsModeOf({ host }: Pick<ServerPlace, 'host'>, wanted?: TlsMode): TlsMode {
  return wanted ?? (loopback.test(host) ? 'off' : 'verify');
}
