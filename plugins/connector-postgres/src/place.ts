import { placeOfServer, tlsModeOf, type ServerPlace } from '@trove/connector-kit';

import type { Config } from './config.js';

/** Where a database is. */
export interface Place extends ServerPlace {
  readonly database: string;
  /** For messages. */
  readonly name: string;
}

/** What a target names. Throws `validation_error` when something is missing. */
export function placeOf(target: string): Place {
  const example = 'postgres://reader@db.example.org:5432/shop';
  const { databases, ...place } = placeOfServer(target, { port: 5432, databases: [1, 1], example });
  const [database = ''] = databases;
  const name = `The PostgreSQL database ${database} at ${place.host}:${place.port}`;
  return { ...place, database, name };
}

/** What the driver is told about encryption. */
export function tlsOf(
  place: ServerPlace,
  { tls, ca }: Pick<Config, 'tls' | 'ca'>,
): { readonly rejectUnauthorized: boolean; readonly ca?: string } | false {
  const mode = tlsModeOf(place, tls);
  if (mode === 'off') return false;
  return { rejectUnauthorized: mode === 'verify', ...(ca === undefined ? {} : { ca }) };
}
