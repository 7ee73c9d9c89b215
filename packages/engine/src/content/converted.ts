import { TroveError, type Content } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import type { ReadBytes } from './read-bytes.js';
import { begin } from './begin.js';
import type { Conversions, Reading } from './reading.js';
import type { ReadableObject } from './readable-object.js';
import { nameOf } from '../sources/objects/stated-type.js';
import { wholeBytes } from './whole-bytes.js';

/** Whether an object will be converted, as far as its name tells. */
export function isLikelyConverted(
  conversions: Pick<Conversions, 'converted'>,
  rootUri: string,
  { path, mediaType }: Pick<ReadableObject, 'path' | 'mediaType'>,
): boolean {
  return conversions.converted(mediaType ?? mediaTypeOf(nameOf(rootUri, path))) !== null;
}

type Converting = Pick<Reading, 'connector' | 'object' | 'conversions' | 'use' | 'signal'>;

/** Converts an object if it is a document. Throws what converting throws. */
export async function asConverted(
  { connector, object, conversions, use, signal }: Converting,
  content: Content,
): Promise<ReadBytes> {
  const stated = content.mediaType ?? object.mediaType ?? null;
  const { transferable = false } = content;
  const asItIs = { bytes: content.bytes, transferable, mediaType: stated, conversion: null };
  if (conversions === null || conversions.convertsNothing) return asItIs;
  const begun = stated === null ? await begin(content.bytes) : null;
  const name = nameOf(connector.rootUri, object.path);
  const mediaType = conversions.converted(stated ?? mediaTypeOf(name, begun?.start));
  const bytes = begun?.bytes ?? content.bytes;
  if (mediaType === null) return { ...asItIs, bytes };
  const limit = conversions.maxBytes;
  const whole = await wholeBytes({ bytes, transferable }, object.size ?? 0, limit);
  if (whole === null) {
    throw new TroveError('document_too_complex', `The document has more than ${limit} bytes`);
  }
  const isAwaited = use !== 'ingest';
  const document = { bytes: whole, mediaType };
  const { markdown, title, parts } = await conversions.convert(document, signal, { isAwaited });
  return { bytes: markdown, transferable: false, mediaType, conversion: { title, parts } };
}
