import type { MetadataStore } from '@trove/core';

import { connectorMethods } from './connectors.js';
import type { Metadata } from './data.js';
import { jobMethods } from './jobs.js';
import { leaseMethods } from './leases.js';
import { listingMethods } from './listing.js';
import { objectMethods } from './objects.js';
import { taskMethods } from './tasks.js';

/** A store on the data of one namespace. */
export function openMetadata(data: Metadata): MetadataStore {
  return {
    ...connectorMethods(data),
    ...objectMethods(data),
    ...jobMethods(data),
    ...leaseMethods(data),
    ...listingMethods(data),
    ...taskMethods(data),
    close: async () => undefined,
  };
}
