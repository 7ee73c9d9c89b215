import { placeOfServer, type ServerPlace } from '@trove/connector-kit';
import { parseUri } from '@trove/core';

/** Where a database is. */
export interface Place extends ServerPlace {
  readonly database: string;
  /** Whether the host stands for those that its DNS records name. */
  readonly isSrv: boolean;
  /** For the driver, without a user. */
  readonly url: string;
  /** For messages. */
  readonly name: string;
}

/** What a target names. Throws `validation_error` when something is missing. */
export function placeOf(target: string): Place {
  const isSrv = parseUri(target).scheme === 'mongodb+srv';
  const { databases, ...place } = placeOfServer(target, {
    port: 27017,
    databases: [1, 1],
    example: isSrv
      ? 'mongodb+srv://reader@cluster0.example.mongodb.net/shop'
      : 'mongodb://reader@db.example.org:27017/shop',
    mayBeAnonymous: true,
    mayHaveSeveralHosts: !isSrv,
  });
  const [database = ''] = databases;
  const hosts = isSrv ? place.host : place.addresses.map(addressText).join(',');
  return {
    ...place,
    database,
    isSrv,
    url: `${isSrv ? 'mongodb+srv' : 'mongodb'}://${hosts}/`,
    name: `The MongoDB database ${database} at ${hosts}`,
  };
}

function addressText({ host, port }: ServerPlace['addresses'][number]): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
