import type { EditionSpec, MetadataStore } from '@trove/core/store';

import type { ConformanceCase } from '../case.js';

/** What a case works on. Give each case an empty subject of its own, and close what it opened afterwards. */
export interface MetadataStoreSubject {
  /** Opens another store on the same data, as another process would. Default namespace `default`, and any edition. */
  open(namespace?: string, edition?: EditionSpec): Promise<MetadataStore>;
}

export type MetadataStoreCase = ConformanceCase<MetadataStoreSubject>;
