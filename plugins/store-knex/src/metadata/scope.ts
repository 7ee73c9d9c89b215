import type { Database, StoreSession } from '../database/types.js';
import { number } from '../database/values.js';

/** The database and namespace of a store. */
export interface StoreScope {
  readonly db: Database;
  readonly namespace: string;
}

/** A generation of a namespace. Its catalogue is the `namespace` of its rows. */
export interface GenerationScope extends StoreScope {
  /** The namespace of the catalogue. */
  readonly base: string;
  readonly number: number;
}

/** A subselect of the namespaces of all generations. Binds `base`. */
export const catalogues = `(select e.catalogue from trove_generations e
  where e.namespace = :base and e.state = 'used')`;

/** Like `catalogues` for a statement of the query builder. */
export function cataloguesOf({ db, base }: GenerationScope): ReturnType<Database['table']> {
  return db
    .table('trove_generations')
    .select('catalogue')
    .where({ namespace: base, state: 'used' });
}

/*
 * Transactions that change rows lock them in this order: the connector, jobs by number, tasks, objects. Workers may
 * then wait for each other but never deadlock. Claims skip locked rows, so they never wait.
 */

/** Locks a connector and returns its number, or null if it does not exist. */
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

/** A subselect of a connector's number. Binds `namespace` and `connectorId`. */
export const connectorNumber = `(select c.seq from trove_connectors c
  where c.namespace = :namespace and c.id = :connectorId)`;
