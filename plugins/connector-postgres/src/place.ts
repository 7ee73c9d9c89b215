import { parseUri, TroveError } from '@trove/core';

import type { Config } from './config.js';

/** Where a database is. */
export interface Place {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** For messages. */
  readonly name: string;
}

const usualPort = 5432;
const example = 'postgres://reader@db.example.org:5432/shop';
const loopback = /^(?:localhost|127(?:\.\d+){3}|::1)$/i;

/** What a target names. Throws `validation_error` when something is missing. */
export function placeOf(target: string): Place {
  const { authority, path } = parseUri(target);
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(0, at));
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(authority.slice(at + 1)) ?? [];
  const host = bracketed ?? plain;
  const database = path.slice(1);
  const missing = [
    ...(user === '' ? ['a user'] : []),
    ...(host === undefined ? ['a host'] : []),
    ...(database === '' || database.includes('/') ? ['one database'] : []),
  ];
  if (host === undefined || missing.length > 0) {
    throw new TroveError('validation_error', `target: must name ${missing.join(' and ')}`, {
      suggestions: [`Write it like ${example}.`],
    });
  }
  const port = digits === undefined ? usualPort : Number(digits);
  const name = `The PostgreSQL database ${database} at ${host}:${port}`;
  return { host, port, user, database, name };
}

/** What the driver is told about encryption. */
export function tlsOf(
  { host }: Pick<Place, 'host'>,
  { tls, ca }: Pick<Config, 'tls' | 'ca'>,
): { readonly rejectUnauthorized: boolean; readonly ca?: string } | false {
  const mode = tls ?? (loopback.test(host) ? 'off' : 'verify');
  if (mode === 'off') return false;
  return { rejectUnauthorized: mode === 'verify', ...(ca === undefined ? {} : { ca }) };
}
