import type { ObjectKind } from '@trove/core';

/** An object to read, as its source lists it or as it was stored. */
export interface ReadableObject {
  readonly path: string;
  readonly size: number | null;
  readonly kind?: ObjectKind;
  readonly mediaType?: string | null;
  readonly keyFields?: readonly string[];
}
