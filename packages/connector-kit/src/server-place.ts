import { parseUri, TroveError } from '@trove/core';

import { partsOfAddress, type AddressForm, type AddressParts } from './server-address.js';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Where a server is, and as whom it is entered. */
export interface ServerPlace extends ServerAddress {
  /** '' for nobody. */
  readonly user: string;
  /** All that are named; the first is `host` and `port`. */
  readonly addresses: readonly ServerAddress[];
}

/** What a target and the configuration say together. */
export interface NamedServer extends ServerPlace {
  readonly databases: readonly string[];
  /** What the address in the configuration says; null without one. */
  readonly parts: AddressParts | null;
}

/** Settings that say where a server is. Each takes precedence over the address. */
export interface PlaceConfig {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
}

export interface ServerTarget {
  readonly config: PlaceConfig;
  /** The address in the configuration, if there is one. */
  readonly address: string | undefined;
  readonly form: AddressForm;
  /** The port when none is named. */
  readonly port: number;
  /** How many databases are named, at least and at most. */
  readonly databases: readonly [least: number, most: number];
  /** Whether the user may be missing. Default false. */
  readonly mayBeAnonymous?: boolean;
  /** Whether several hosts may be named, with commas between them. Default false. */
  readonly mayHaveSeveralHosts?: boolean;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/**
 * Where the server of a source is. A target like `scheme://user@host:port/database` says it all. Where the configuration
 * names a host, the target is a name that people gave the source: `postgres://prod-db`. Throws `validation_error` when
 * something is missing, and `config_invalid` when target and configuration name different users or databases.
 */
export function placeOfServer(target: string, asked: ServerTarget): NamedServer {
  const { config, address, form } = asked;
  const parts = address === undefined ? null : partsOfAddress(address, form);
  const { authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const user = agreed('user', config.user ?? parts?.user, authority.slice(0, Math.max(0, at)));
  const [inPath = '', ...more] = path.split('/').slice(1);
  const database = agreed('database', config.database ?? parts?.database, inPath);
  const databases = [database, ...more].filter((name) => name !== '');
  const addresses = addressesIn(parts?.hosts || authority.slice(at + 1), asked);
  const [first] = addresses;
  const missing = missingParts(asked, { user, addresses, databases });
  if (first === undefined || missing.length > 0) {
    throw new TroveError('validation_error', `target: must name ${missing.join(' and ')}`, {
      suggestions: [
        `Write it like ${form.example}.`,
        `Or name them in the configuration: \`host\`, \`user\`, \`database\`, or all of it as \`${form.key}\`.`,
      ],
    });
  }
  return { ...first, addresses, user, databases, parts };
}

/** None if any of them is not well formed. */
function addressesIn(
  hosts: string,
  { config: { host, port }, port: usualPort, mayHaveSeveralHosts = false }: ServerTarget,
): readonly ServerAddress[] {
  if (host !== undefined) return [{ host, port: port ?? usualPort }];
  const named = (mayHaveSeveralHosts ? hosts.split(',') : [hosts]).map(addressIn);
  const known = named.filter((each) => each !== null);
  if (known.length < named.length) return [];
  return known.map((each) => ({ host: each.host, port: port ?? each.port ?? usualPort }));
}

function addressIn(text: string): { readonly host: string; readonly port: number | null } | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:,]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? null : { host, port: digits === undefined ? null : Number(digits) };
}

/** What the configuration says, or else the target; '' if neither says anything. */
function agreed(key: 'user' | 'database', configured = '', inTarget: string): string {
  if (configured === '') return inTarget;
  if (inTarget === '' || inTarget === configured) return configured;
  throw new TroveError('config_invalid', `config.${key}: is not the ${key} in the target`, {
    suggestions: [`Name the ${key} in one place only: in the target, or in the configuration.`],
  });
}

function missingParts(
  { mayBeAnonymous = false, databases: [least, most] }: ServerTarget,
  { user, addresses, databases }: Pick<NamedServer, 'user' | 'addresses' | 'databases'>,
): string[] {
  return [
    ...(user === '' && !mayBeAnonymous ? ['a user'] : []),
    ...(addresses.length === 0 ? ['a host'] : []),
    ...(databases.length < least || databases.length > most ? ['one database'] : []),
  ];
}

/** How a server is spoken to: without encryption, with it, or with a certificate that is checked. */
export type TlsMode = 'off' | 'unverified' | 'verify';

/** `wanted`: what the configuration says. Who speaks to this machine needs none. */
export function tlsModeOf({ host }: Pick<ServerPlace, 'host'>, wanted?: TlsMode): TlsMode {
  return wanted ?? (loopback.test(host) ? 'off' : 'verify');
}
