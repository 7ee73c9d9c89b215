import { parseUri, TroveError } from '@trove/core';

import { parseServerUrl, type ServerUrl, type ServerUrlFormat } from './server-url.js';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** The address of a server and the user for it. */
export interface ServerLocation extends ServerAddress {
  /** Empty for anonymous access. */
  readonly user: string;
  /** All named addresses. The first equals `host` and `port`. */
  readonly addresses: readonly ServerAddress[];
}

/** The server that a target and its configuration name together. */
export interface ResolvedServer extends ServerLocation {
  readonly databases: readonly string[];
  /** The configured URL, or null without one. */
  readonly url: ServerUrl | null;
}

/** Settings that locate a server. Each overrides the same part of the configured URL. */
export interface LocationSettings {
  readonly host?: string;
  readonly port?: number;
  readonly user?: string;
  readonly database?: string;
}

export interface LocateOptions {
  readonly config: LocationSettings;
  /** The configured URL. */
  readonly url: string | undefined;
  readonly format: ServerUrlFormat;
  readonly defaultPort: number;
  /** The minimum and maximum number of databases. */
  readonly databases: readonly [min: number, max: number];
  /** Default false. */
  readonly mayBeAnonymous?: boolean;
  /** Whether commas may separate several hosts. Default false. */
  readonly mayHaveSeveralHosts?: boolean;
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/**
 * Locates the server of a source. A target like `scheme://user@host:port/database` may name everything. If the
 * configuration names a host, the target's own host is only an alias: `postgres://prod-db`. Throws `validation_error` when
 * a part is missing, and `config_invalid` when target and configuration name different users or databases.
 */
export function locateServer(target: string, options: LocateOptions): ResolvedServer {
  const { config, format } = options;
  const url = options.url === undefined ? null : parseServerUrl(options.url, format);
  const { authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const [databaseInPath = '', ...more] = path.split('/').slice(1);
  const user = mergeNames('user', config.user ?? url?.user, authority.slice(0, Math.max(0, at)));
  const database = mergeNames('database', config.database ?? url?.database, databaseInPath);
  const databases = [database, ...more].filter((name) => name !== '');
  const addresses = resolveAddresses(authority.slice(at + 1), url, options);
  const [first] = addresses;
  const missing = listMissing(options, { user, addresses, databases });
  if (first === undefined || missing.length > 0) {
    throw new TroveError('validation_error', `target: must name ${missing.join(' and ')}`, {
      suggestions: [
        `Write it like ${format.example}.`,
        `Or name them in the configuration: \`host\`, \`user\`, \`database\`, or all of it as \`${format.key}\`.`,
      ],
    });
  }
  return { ...first, addresses, user, databases, url };
}

/** Returns no address if any host is malformed. */
function resolveAddresses(
  hostInTarget: string,
  url: ServerUrl | null,
  { config: { host, port }, defaultPort, mayHaveSeveralHosts = false }: LocateOptions,
): readonly ServerAddress[] {
  const hosts = url?.hosts || (host === undefined ? hostInTarget : '');
  const parsed = (mayHaveSeveralHosts ? hosts.split(',') : [hosts]).map(parseHost);
  if (host !== undefined) return [{ host, port: port ?? parsed[0]?.port ?? defaultPort }];
  const valid = parsed.filter((each) => each !== null);
  if (valid.length < parsed.length) return [];
  return valid.map((each) => ({ host: each.host, port: port ?? each.port ?? defaultPort }));
}

/** Parses `host`, `host:port`, `[address]` or `[address]:port`. Returns null for other text. */
function parseHost(text: string): { readonly host: string; readonly port: number | null } | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:,]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? null : { host, port: digits === undefined ? null : Number(digits) };
}

/** Returns the configured name, else the target's, else ''. */
function mergeNames(key: 'user' | 'database', configured = '', inTarget: string): string {
  if (configured === '') return inTarget;
  if (inTarget === '' || inTarget === configured) return configured;
  throw new TroveError('config_invalid', `config.${key}: is not the ${key} in the target`, {
    suggestions: [`Name the ${key} in one place only: in the target, or in the configuration.`],
  });
}

function listMissing(
  { mayBeAnonymous = false, databases: [min, max] }: LocateOptions,
  { user, addresses, databases }: Pick<ResolvedServer, 'user' | 'addresses' | 'databases'>,
): string[] {
  return [
    ...(user === '' && !mayBeAnonymous ? ['a user'] : []),
    ...(addresses.length === 0 ? ['a host'] : []),
    ...(databases.length < min || databases.length > max ? ['one database'] : []),
  ];
}

/** Whether a connection is plain, encrypted, or encrypted with a verified certificate. */
export type TlsMode = 'off' | 'unverified' | 'verify';

/** Returns the configured mode. The default is `off` for loopback hosts, else `verify`. */
export function tlsModeOf({ host }: Pick<ServerLocation, 'host'>, configured?: TlsMode): TlsMode {
  return configured ?? (loopback.test(host) ? 'off' : 'verify');
}
