import { TroveError } from '@trove/core';

import type { StoreSession } from '../database/types.js';
import { list, number, text, texts } from '../database/values.js';
import { rootHash } from './root-hash.js';
import { catalogues, type GenerationScope } from './scope.js';

/**
 * Moves a connector and its jobs to another root URI, in all generations. Throws `connector_already_registered` if another
 * connector has that root.
 */
export async function moveConnector(
  session: StoreSession,
  { db, base }: GenerationScope,
  id: string,
  rootUri: string,
): Promise<void> {
  const hash = rootHash(rootUri);
  const [other] = await session.all(
    `select id from trove_connectors
      where namespace in ${catalogues} and root_hash = :hash and id <> :id`,
    { base, hash, id },
  );
  if (other !== undefined)
    throw new TroveError('connector_already_registered', `${rootUri} is already registered.`);
  const rows = await session.all(
    `select seq, root_uri, moved_from from trove_connectors
      where namespace in ${catalogues} and id = :id order by seq ${db.dialect.lock}`,
    { base, id },
  );
  for (const row of rows) {
    const movedFrom = [...texts(row, 'moved_from'), text(row, 'root_uri')];
    await session.run(
      `update trove_connectors set root_uri = :rootUri, root_hash = :hash, moved_from = :movedFrom
        where seq = :seq`,
      { rootUri, hash, movedFrom: list(movedFrom), seq: number(row, 'seq') },
    );
  }
  await session.run(
    `update trove_jobs set target = :rootUri where namespace in ${catalogues} and connector_id = :id`,
    { base, rootUri, id },
  );
}
