import {
  locateServer,
  type ServerUrlFormat,
  type ServerLocation,
  type TlsMode,
} from '@trove/connector-kit';
import { parseUri } from '@trove/core';

import type { MongoConfig } from './config.js';

/** The location of a database. */
export interface MongoLocation extends ServerLocation {
  readonly database: string;
  /** Whether DNS records of the host name the actual hosts. */
  readonly isSrv: boolean;
  /** The database in which the user was created. */
  readonly authSource: string;
  /** The mode that the configured URL asks for. */
  readonly tls: TlsMode | undefined;
  /** Whether to connect only to the named host. */
  readonly isDirect: boolean;
  readonly hasPassword: boolean;
  /** For the driver, without a user. */
  readonly url: string;
  /** For messages. */
  readonly name: string;
}

const srv = 'mongodb+srv';

export const urlFormat: ServerUrlFormat = {
  key: 'uri',
  schemes: ['mongodb', srv],
  example: 'mongodb://reader@db.example.org:27017/shop',
};

/** Locates the database that a target and its configuration name. Throws `validation_error` or `config_invalid`. */
export function locateDatabase(target: string, config: MongoConfig): MongoLocation {
  const isSrvTarget = parseUri(target).scheme === srv;
  const { databases, url, ...location } = locateServer(target, {
    config,
    url: config.uri,
    format: isSrvTarget
      ? { ...urlFormat, example: 'mongodb+srv://reader@cluster0.example.mongodb.net/shop' }
      : urlFormat,
    defaultPort: 27017,
    databases: [1, 1],
    mayBeAnonymous: true,
    mayHaveSeveralHosts: !isSrvTarget,
  });
  const [database = ''] = databases;
  const isSrv = config.host === undefined && (url === null ? isSrvTarget : url.scheme === srv);
  const hosts = isSrv ? location.host : location.addresses.map(addressText).join(',');
  const options = url?.options ?? new Map<string, string>();
  return {
    ...location,
    database,
    isSrv,
    authSource: config.auth_source ?? options.get('authsource') ?? (url?.database || 'admin'),
    tls: tlsIn(options),
    isDirect: config.direct || options.get('directconnection') === 'true',
    hasPassword: (config.password ?? url?.password ?? '') !== '',
    url: `${isSrv ? srv : 'mongodb'}://${hosts}/`,
    name: `The MongoDB database ${database} at ${hosts}`,
  };
}

function tlsIn(options: ReadonlyMap<string, string>): TlsMode | undefined {
  const isUnverified = ['tlsinsecure', 'tlsallowinvalidcertificates'].some(
    (name) => options.get(name) === 'true',
  );
  const tlsOption = options.get('tls') ?? options.get('ssl');
  if (tlsOption === 'false') return 'off';
  if (isUnverified) return 'unverified';
  return tlsOption === 'true' ? 'verify' : undefined;
}

function addressText({ host, port }: ServerLocation['addresses'][number]): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
