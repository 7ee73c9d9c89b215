import type { Database, Session } from '../database/types.js';
import { number } from '../database/values.js';

/** What every part of the store works on. */
export interface Scope {
  readonly db: Database;
  readonly namespace: string;
}

/*
 * Whoever changes rows in one transaction locks them in this order: the connector, jobs by number, tasks, objects.
 * Workers can then wait for each other, but never in a circle. (Claims skip what is locked, so they never wait.)
 */

/** Locks a connector and returns its number, or null when there is none. */
export async function lockConnector(
  session: Session,
  { db, namespace }: Scope,
  id: string,
): Promise<number | null> {
  const [row] = await session.all(
    `select seq from trove_connectors where namespace = :namespace and id = :id ${db.dialect.lock}`,
    { namespace, id },
  );
  return row === undefined ? null : number(row, 'seq');
}

/** Selects a connector's number as part of a larger statement; binds `namespace` and `connectorId`. */
export const connectorNumber = `(select c.seq from trove_connectors c
  where c.namespace = :namespace and c.id = :connectorId)`;
