import type { ObjectKind } from '@trove/core';
import { kindOf, mediaTypeOf } from '@trove/core/content';
import type { ReadableObject } from './reading.js';

/** What an object is as long as nobody has read it: by the word of its source, then by its name. */
export function likelyKind(
  { kind, mediaType }: Pick<ReadableObject, 'kind' | 'mediaType'>,
  name: string,
): ObjectKind {
  return kind ?? kindOf(name, mediaType ?? null, false);
}

/** Whether objects of a kind can have a text. */
export function canHaveText(kind: ObjectKind): boolean {
  return kind !== 'binary' && kind !== 'image';
}

/** The same for its media type; null if nothing tells. */
export function likelyMediaType(
  { mediaType }: Pick<ReadableObject, 'mediaType'>,
  name: string,
): string | null {
  return mediaType ?? mediaTypeOf(name);
}
