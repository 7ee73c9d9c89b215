import type { GenerationSpec, MetadataStore } from '@trove/core/store';

import type { ConformanceCase } from '../case.js';

/** The subject of a case. Pass each case a new, empty one and close its stores afterwards. */
export interface MetadataStoreSubject {
  /**
   * Opens another store on the same data, like another process. Default: the namespace `default` and any generation.
   */
  open(namespace?: string, generation?: GenerationSpec): Promise<MetadataStore>;
}

/** A part of a metadata store, by the name of its member. */
export type MetadataStorePart = Exclude<
  keyof MetadataStore,
  'id' | 'size' | 'snapshot' | 'compact' | 'close'
>;

export interface MetadataStoreCase extends ConformanceCase<MetadataStoreSubject> {
  /** The parts that the case uses. */
  readonly parts: readonly MetadataStorePart[];
}
