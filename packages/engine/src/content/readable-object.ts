import type { ObjectKind } from '@trove/core';

/** An object to read, from a listing or from the metadata store. */
export interface ReadableObject {
  readonly path: string;
  readonly size: number | null;
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  readonly keyFields?: readonly string[];
}
