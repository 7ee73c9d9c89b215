import {
  locateServer,
  type ServerUrlFormat,
  type ServerLocation,
  type TlsMode,
} from '@trove/connector-kit';

import type { MysqlConfig } from './config.js';

/** The location of a server, or of one database on it. */
export interface MysqlLocation extends ServerLocation {
  /** Null for all readable databases. */
  readonly database: string | null;
  /** The mode that the configured URL asks for. */
  readonly tls: TlsMode | undefined;
  /** For messages. */
  readonly name: string;
}

export const urlFormat: ServerUrlFormat = {
  key: 'dsn',
  schemes: ['mysql', 'mariadb'],
  example: 'mysql://reader@db.example.org:3306/shop',
};

/** `ssl-mode` of MySQL clients, in lower case. Other modes have no effect. */
const tlsModes: ReadonlyMap<string | undefined, TlsMode> = new Map([
  ['disabled', 'off'],
  ['required', 'unverified'],
  ['verify_ca', 'verify'],
  ['verify_identity', 'verify'],
]);

/** Locates the database that a target and its configuration name. Throws `validation_error` or `config_invalid`. */
export function locateDatabase(target: string, config: MysqlConfig): MysqlLocation {
  const { databases, url, ...location } = locateServer(target, {
    config,
    url: config.dsn,
    format: urlFormat,
    defaultPort: 3306,
    databases: [0, 1],
  });
  const [database = null] = databases;
  const address = `at ${location.host}:${location.port}`;
  const name =
    database === null ? `The MySQL server ${address}` : `The MySQL database ${database} ${address}`;
  const mode = url?.options.get('ssl-mode') ?? url?.options.get('sslmode');
  return { ...location, database, tls: tlsModes.get(mode?.toLowerCase()), name };
}
