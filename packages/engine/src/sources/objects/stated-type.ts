import type { ObjectKind } from '@trove/core';
import type { ObjectRecord } from '@trove/core/store';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';

/** What a source states about an object. */
interface StatedType {
  readonly kind?: ObjectKind | null | undefined;
  readonly mediaType?: string | null | undefined;
}

/** Returns the kind of an object that has not been read: as its source states it, else by its name. */
export function likelyKind({ kind, mediaType }: StatedType, name: string): ObjectKind {
  return kind ?? kindOf(name, mediaType ?? null, false);
}

/** Returns its media type likewise, or null if neither the source nor the name tells it. */
export function likelyMediaType(
  { mediaType }: Pick<StatedType, 'mediaType'>,
  name: string,
): string | null {
  return mediaType ?? mediaTypeOf(name);
}

/** Whether an object may have a text. An image has one if its text was recognised. */
export function canHaveText({
  kind,
  searchStatus,
}: Pick<ObjectRecord, 'kind' | 'searchStatus'>): boolean {
  return kind === 'image' ? searchStatus !== 'not_indexed' : kind !== 'binary';
}

/** Returns the path of an object. For a source that is a single object: the name at the end of its URI. */
export function nameOf(rootUri: string, path: string): string {
  return path === '' ? (rootUri.split('/').at(-1) ?? '') : path;
}
