import { alertMutants } from './alerts.js';
import { connectorMutants } from './connectors.js';
import { generationMutants } from './generations.js';
import { trainingMutants } from './training.js';
import { graphMutants } from './graphs.js';
import { objectMutants } from './objects.js';
import { jobMutants } from './jobs.js';
import { leaseMutants } from './leases.js';
import { listingMutants } from './listing.js';
import { moveMutants } from './moves.js';
import { summaryMutants } from './summaries.js';
import { recordMutants } from './records.js';
import { repeatedListingMutants } from './repeated-listing.js';
import { scheduleMutants } from './schedules.js';
import { taskMutants } from './tasks.js';
import { tokenMutants } from './tokens.js';
import type { Mutants } from './support.js';

export type { Mutant, WrongMethods } from './support.js';

/** For each case, a store that only this case finds wrong. */
export const metadataStoreMutants: Mutants = {
  ...connectorMutants,
  ...objectMutants,
  ...jobMutants,
  ...leaseMutants,
  ...scheduleMutants,
  ...moveMutants,
  ...listingMutants,
  ...repeatedListingMutants,
  ...recordMutants,
  ...taskMutants,
  ...summaryMutants,
  ...alertMutants,
  ...graphMutants,
  ...trainingMutants,
  ...tokenMutants,
  ...generationMutants,
  'size-grows': () => ({ size: async () => 4096 }),
  'compact-keeps-everything': (_good, database) => ({
    compact: async () => void (await database.query('delete from trove_objects')),
  }),
  // Returns another id for each opened store.
  'id-of-its-own': () => {
    let opened = 0;
    return { id: async () => `store-${++opened}` };
  },
  close: () => ({ close: async () => undefined }),
};
