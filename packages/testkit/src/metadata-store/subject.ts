import type { MetadataStore } from '@trove/core';

import type { ConformanceCase } from '../case.js';

/** What a case works on. Give each case a subject of its own, without data, and close what it opened afterwards. */
export interface MetadataStoreSubject {
  /** Opens one more store on the same data, as another process would. The namespace is `default` when not given. */
  open(namespace?: string): Promise<MetadataStore>;
}

export type MetadataStoreCase = ConformanceCase<MetadataStoreSubject>;
