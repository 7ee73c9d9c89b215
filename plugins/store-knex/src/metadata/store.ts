import { randomUUID } from 'node:crypto';

import type { EditionSpec, MetadataStore } from '@trove/core/store';

import { migrate } from '../database/migrate.js';
import type { Database } from '../database/types.js';
import { text } from '../database/values.js';
import { connectorMethods } from './connectors.js';
import { beginEdition, editionMethods } from './editions.js';
import { fitMethods } from './fits.js';
import { graphMethods } from './graphs.js';
import { jobMethods } from './jobs.js';
import { leaseMethods } from './leases.js';
import { listingMethods } from './listing.js';
import { objectMethods } from './objects.js';
import { recordMethods } from './records.js';
import { migrations } from './schema.js';
import type { Scope } from './scope.js';
import { summaryMethods } from './summaries.js';
import { taskMethods } from './tasks.js';

/** The metadata of one namespace in a database, which is migrated first, in one of its editions, which is begun if need be. */
export async function openMetadataStore(
  db: Database,
  namespace: string,
  edition: EditionSpec,
): Promise<MetadataStore> {
  await migrate(db, 'metadata', migrations);
  const whole = { db, namespace };
  const scope = await beginEdition(whole, edition);
  return {
    id: () => idOf(whole),
    ...editionMethods(scope),
    ...connectorMethods(scope),
    ...objectMethods(scope),
    ...graphMethods(whole),
    ...fitMethods(whole),
    ...jobMethods(scope),
    ...leaseMethods(scope),
    ...listingMethods(scope),
    ...recordMethods(scope),
    ...summaryMethods(scope),
    ...taskMethods(scope),
    // The index may be in the same database.
    size: () => db.size({ prefix: 'trove_', except: ['trove_cache', 'trove_index'] }),
    compact: async () => db.compact?.(),
    close: () => db.close(),
  };
}

/** Made by whoever asks first. */
async function idOf({ db, namespace }: Scope): Promise<string> {
  return db.write(async (session) => {
    await session.run(
      `insert into trove_namespaces (namespace, id) values (:namespace, :id)
        on conflict (namespace) do nothing`,
      { namespace, id: randomUUID() },
    );
    const [row] = await session.all(db.table('trove_namespaces').select('id').where({ namespace }));
    if (row === undefined) throw new Error('the id of a namespace was not kept');
    return text(row, 'id');
  });
}
