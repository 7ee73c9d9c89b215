import {
  locateServer,
  tlsModeOf,
  type ServerUrlFormat,
  type ServerLocation,
  type TlsMode,
} from '@trove/connector-kit';

import type { PostgresConfig } from './config.js';

/** The location of a database. */
export interface PostgresLocation extends ServerLocation {
  readonly database: string;
  /** The mode that the configured URL asks for. */
  readonly tls: TlsMode | undefined;
  /** For messages. */
  readonly name: string;
}

export const urlFormat: ServerUrlFormat = {
  key: 'dsn',
  schemes: ['postgresql', 'postgres'],
  example: 'postgres://reader@db.example.org:5432/shop',
};

/** `sslmode` of libpq. Other modes have no effect. */
const tlsModes: ReadonlyMap<string | undefined, TlsMode> = new Map([
  ['disable', 'off'],
  ['require', 'unverified'],
  ['verify-ca', 'verify'],
  ['verify-full', 'verify'],
]);

/** Locates the database that a target and its configuration name. Throws `validation_error` or `config_invalid`. */
export function locateDatabase(target: string, config: PostgresConfig): PostgresLocation {
  const { databases, url, ...location } = locateServer(target, {
    config,
    url: config.dsn,
    format: urlFormat,
    defaultPort: 5432,
    databases: [1, 1],
  });
  const [database = ''] = databases;
  const name = `The PostgreSQL database ${database} at ${location.host}:${location.port}`;
  const tls = tlsModes.get(url?.options.get('sslmode'));
  return { ...location, database, tls, name };
}

/** Returns the `ssl` option of the driver. */
export function tlsOf(
  location: PostgresLocation,
  { tls, ca }: Pick<PostgresConfig, 'tls' | 'ca'>,
): { readonly rejectUnauthorized: boolean; readonly ca?: string } | false {
  const mode = tlsModeOf(location, tls ?? location.tls);
  if (mode === 'off') return false;
  return { rejectUnauthorized: mode === 'verify', ...(ca === undefined ? {} : { ca }) };
}
