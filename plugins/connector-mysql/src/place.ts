import { placeOfServer, type ServerPlace } from '@trove/connector-kit';

/** Where a server is, or one database on it. */
export interface Place extends ServerPlace {
  /** Null: all that the user may read. */
  readonly database: string | null;
  /** For messages. */
  readonly name: string;
}

/** What a target names. Throws `validation_error` when something is missing. */
export function placeOf(target: string): Place {
  const example = 'mysql://reader@db.example.org:3306/shop';
  const { databases, ...place } = placeOfServer(target, { port: 3306, databases: [0, 1], example });
  const [database = null] = databases;
  const at = `at ${place.host}:${place.port}`;
  const name =
    database === null ? `The MySQL server ${at}` : `The MySQL database ${database} ${at}`;
  return { ...place, database, name };
}
