import type { ObjectKind } from '@trove/core';
import type { ObjectRecord } from '@trove/core/store';
import { kindOf, mediaTypeOf } from '@trove/text/media-types';

/** The kind and media type that a source states for an object. */
interface StatedType {
  readonly kind?: ObjectKind | null | undefined;
  readonly mediaType?: string | null | undefined;
}

/** Returns the kind of an unread object: the stated one, or else one derived from its name. */
export function likelyKind({ kind, mediaType }: StatedType, name: string): ObjectKind {
  return kind ?? kindOf(name, mediaType ?? null, false);
}

/**
 * Returns the media type of an unread object: the stated one, or else one derived from its name. Null if both are unknown.
 */
export function likelyMediaType(
  { mediaType }: Pick<StatedType, 'mediaType'>,
  name: string,
): string | null {
  return mediaType ?? mediaTypeOf(name);
}

/** Whether an object may have text. An image has text if recognition found some. */
export function canHaveText({
  kind,
  searchStatus,
}: Pick<ObjectRecord, 'kind' | 'searchStatus'>): boolean {
  return kind === 'image' ? searchStatus !== 'not_indexed' : kind !== 'binary';
}

/** Returns the path of an object. If the source is a single object, returns the last name in its URI. */
export function nameOf(rootUri: string, path: string): string {
  return path === '' ? (rootUri.split('/').at(-1) ?? '') : path;
}
