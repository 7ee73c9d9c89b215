import type { ObjectKind } from '../contracts/connector.js';
import { kindOfMediaType, mediaTypeOf } from './media-types.js';

/** What a file is: from whether it is text, then from its media type (or, when that is null, from its name). */
export function kindOf(path: string, mediaType: string | null, binary: boolean): ObjectKind {
  const type = mediaType ?? mediaTypeOf(path);
  const kind = type === null ? null : kindOfMediaType(type);
  if (binary) return kind === 'image' || kind === 'document' ? kind : 'binary';
  return kind === 'document' || kind === 'code' ? kind : 'text';
}
