import type { ObjectKind } from '@trove/core';
import type { SourceObject } from '../sources/connectors/source-object.js';

/** An object to read, from a listing or from the metadata store. */
export interface ReadableObject extends SourceObject {
  readonly size: number | null;
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  readonly keyFields?: readonly string[];
}
