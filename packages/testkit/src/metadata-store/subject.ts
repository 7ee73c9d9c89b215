import type { GenerationSpec, MetadataStore } from '@trove/core/store';

import type { ConformanceCase } from '../case.js';

/** What a case works on. Give each case an empty subject of its own, and close what it opened afterwards. */
export interface MetadataStoreSubject {
  /** Opens another store on the same data, as another process would. Default namespace `default`, and any edition. */
  open(namespace?: string, edition?: GenerationSpec): Promise<MetadataStore>;
}

/** A part of a metadata store: the name of its member. */
export type MetadataStorePart = Exclude<keyof MetadataStore, 'id' | 'size' | 'compact' | 'close'>;

export interface MetadataStoreCase extends ConformanceCase<MetadataStoreSubject> {
  /** The parts that it uses. */
  readonly parts: readonly MetadataStorePart[];
}
