import type { MetadataStore } from '@trove/core';

import { migrate } from '../database/migrate.js';
import type { Database } from '../database/types.js';
import { connectorMethods } from './connectors.js';
import { graphMethods } from './graphs.js';
import { jobMethods } from './jobs.js';
import { leaseMethods } from './leases.js';
import { listingMethods } from './listing.js';
import { objectMethods } from './objects.js';
import { migrations } from './schema.js';
import { summaryMethods } from './summaries.js';
import { taskMethods } from './tasks.js';

/** The metadata of one namespace in a database, which is migrated first. */
export async function openMetadataStore(db: Database, namespace: string): Promise<MetadataStore> {
  await migrate(db, 'metadata', migrations);
  const scope = { db, namespace };
  return {
    ...connectorMethods(scope),
    ...objectMethods(scope),
    ...graphMethods(scope),
    ...jobMethods(scope),
    ...leaseMethods(scope),
    ...listingMethods(scope),
    ...summaryMethods(scope),
    ...taskMethods(scope),
    close: () => db.close(),
  };
}
