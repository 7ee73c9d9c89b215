import { TroveError, type Content, type DocumentPart } from '@trove/core';
import { mediaTypeOf } from '@trove/core/content';
import type { ConversionService } from '@trove/runtime';
import { begin } from './begin.js';
import type { ReadableObject, Reading } from './reading.js';
import { nameOf } from './what-it-is.js';
import { wholeBytes } from './whole-bytes.js';

/** What is known of a document besides its Markdown. */
export interface Conversion {
  readonly title: string | null;
  readonly parts: readonly DocumentPart[];
}

/** What everybody reads: a document as Markdown in UTF-8, anything else as it is. */
export interface ReadBytes {
  readonly bytes: Content['bytes'];
  /** Whether their memory belongs to whoever reads them. */
  readonly isGiven: boolean;
  /** What the source says or, for a document, what it is; null: nobody has said yet. */
  readonly mediaType: string | null;
  /** Null: the bytes are those of the source. */
  readonly conversion: Conversion | null;
}

/** What converts. */
export type Conversions = Pick<
  ConversionService,
  'converted' | 'convertsNothing' | 'maxBytes' | 'convert'
>;

type Converting = Pick<Reading, 'connector' | 'object' | 'conversions' | 'use' | 'signal'>;

/** Converts an object if it is a document. Throws what converting throws. */
export async function asConverted(
  { connector, object, conversions, use, signal }: Converting,
  content: Content,
): Promise<ReadBytes> {
  const stated = content.mediaType ?? object.mediaType ?? null;
  const { isGiven = false } = content;
  const asItIs = { bytes: content.bytes, isGiven, mediaType: stated, conversion: null };
  if (conversions === null || conversions.convertsNothing) return asItIs;
  const begun = stated === null ? await begin(content.bytes) : null;
  const name = nameOf(connector.rootUri, object.path);
  const mediaType = conversions.converted(stated ?? mediaTypeOf(name, begun?.start));
  const bytes = begun?.bytes ?? content.bytes;
  if (mediaType === null) return { ...asItIs, bytes };
  const limit = conversions.maxBytes;
  const whole = await wholeBytes({ bytes, isGiven }, object.size ?? 0, limit);
  if (whole === null) {
    throw new TroveError('document_too_complex', `The document has more than ${limit} bytes`);
  }
  const isAwaited = use !== 'ingest';
  const document = { bytes: whole, mediaType };
  const { markdown, title, parts } = await conversions.convert(document, signal, { isAwaited });
  return { bytes: markdown, isGiven: false, mediaType, conversion: { title, parts } };
}

/** Whether an object will be converted, as far as its name tells. */
export function isLikelyConverted(
  conversions: Pick<Conversions, 'converted'>,
  rootUri: string,
  { path, mediaType }: Pick<ReadableObject, 'path' | 'mediaType'>,
): boolean {
  return conversions.converted(mediaType ?? mediaTypeOf(nameOf(rootUri, path))) !== null;
}
