import {
  placeOfServer,
  type AddressForm,
  type ServerPlace,
  type TlsMode,
} from '@trove/connector-kit';

import type { Config } from './config.js';

/** Where a server is, or one database on it. */
export interface Place extends ServerPlace {
  /** Null: all that the user may read. */
  readonly database: string | null;
  /** What the address in the configuration says of encryption. */
  readonly tls: TlsMode | undefined;
  /** For messages. */
  readonly name: string;
}

export const addressForm: AddressForm = {
  key: 'dsn',
  schemes: ['mysql', 'mariadb'],
  example: 'mysql://reader@db.example.org:3306/shop',
};

/** `ssl-mode` of the clients of MySQL, in lower case; with any other, encryption is as without one. */
const tlsModes: ReadonlyMap<string | undefined, TlsMode> = new Map([
  ['disabled', 'off'],
  ['required', 'unverified'],
  ['verify_ca', 'verify'],
  ['verify_identity', 'verify'],
]);

/** What a target and the configuration name. Throws `validation_error` or `config_invalid`. */
export function placeOf(target: string, config: Config): Place {
  const { databases, parts, ...place } = placeOfServer(target, {
    config,
    address: config.dsn,
    form: addressForm,
    port: 3306,
    databases: [0, 1],
  });
  const [database = null] = databases;
  const at = `at ${place.host}:${place.port}`;
  const name =
    database === null ? `The MySQL server ${at}` : `The MySQL database ${database} ${at}`;
  const mode = parts?.options.get('ssl-mode') ?? parts?.options.get('sslmode');
  return { ...place, database, tls: tlsModes.get(mode?.toLowerCase()), name };
}
