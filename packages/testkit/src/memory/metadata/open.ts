import { TroveError } from '@trove/core';
import type { MetadataStore } from '@trove/core/store';

import { connectorMethods } from './connectors.js';
import type { Metadata } from './data.js';
import { editionMethods } from './editions.js';
import { fitMethods } from './fits.js';
import { graphMethods } from './graphs.js';
import { jobMethods } from './jobs.js';
import { leaseMethods } from './leases.js';
import { listingMethods } from './listing.js';
import { objectMethods } from './objects.js';
import { recordMethods } from './records.js';
import { summaryMethods } from './summaries.js';
import { taskMethods } from './tasks.js';

/** A store for the data of one edition. */
export function openMetadata(data: Metadata): MetadataStore {
  return closable({
    id: async () => data.id,
    ...editionMethods(data),
    ...connectorMethods(data),
    ...objectMethods(data),
    ...graphMethods(data),
    ...fitMethods(data),
    ...jobMethods(data),
    ...leaseMethods(data),
    ...listingMethods(data),
    ...recordMethods(data),
    ...summaryMethods(data),
    ...taskMethods(data),
    size: async () => sizeOf(data),
    compact: async () => undefined,
    close: async () => undefined,
  });
}

/** Of what is known of objects, as text. */
function sizeOf({ objects }: Metadata): number {
  const all = Array.from(objects.values(), (ofConnector) => [...ofConnector.values()]);
  return JSON.stringify(all).length;
}

/** Makes the store reject calls once it is closed. */
function closable(store: MetadataStore): MetadataStore {
  let closed = false;
  const refuse = () => Promise.reject(new TroveError('engine_closed', 'The store is closed.'));
  const close = async () => {
    closed = true;
  };
  return new Proxy(store, {
    get: (target, name): unknown => {
      if (name === 'close') return close;
      return closed ? refuse : Reflect.get(target, name);
    },
  });
}
