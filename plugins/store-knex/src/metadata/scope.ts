import type { Database, StoreSession } from '../database/types.js';
import { number } from '../database/values.js';

/** What every part of the store needs. */
export interface StoreScope {
  readonly db: Database;
  readonly namespace: string;
}

/** An edition of a namespace: what is of the edition has its catalogue as the namespace. */
export interface GenerationScope extends StoreScope {
  /** That the catalogue is of. */
  readonly base: string;
  readonly number: number;
}

/** A subselect of the namespaces of all generations; binds `base`. */
export const catalogues = `(select e.catalogue from trove_editions e
  where e.namespace = :base and e.state = 'used')`;

/** The same for a statement that is built. */
export function cataloguesOf({ db, base }: GenerationScope): ReturnType<Database['table']> {
  return db.table('trove_editions').select('catalogue').where({ namespace: base, state: 'used' });
}

/*
 * Transactions that change rows lock them in this order: the connector, jobs by number, tasks, objects. Workers may
 * then wait for each other, but never deadlock. (Claims skip locked rows, so they never wait.)
 */

/** Locks a connector and returns its number, or null when it does not exist. */
export async function lockConnector(
  session: StoreSession,
  { db, namespace }: StoreScope,
  id: string,
): Promise<number | null> {
  const [row] = await session.all(
    `select seq from trove_connectors where namespace = :namespace and id = :id ${db.dialect.lock}`,
    { namespace, id },
  );
  return row === undefined ? null : number(row, 'seq');
}

/** A subselect of a connector's number; binds `namespace` and `connectorId`. */
export const connectorNumber = `(select c.seq from trove_connectors c
  where c.namespace = :namespace and c.id = :connectorId)`;
