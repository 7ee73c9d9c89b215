import { TroveError, type Content } from '@trove/core';
import { mediaTypeOf } from '@trove/text/media-types';
import type { ContentBytes } from './content-bytes.js';
import { readStart } from './first-bytes.js';
import type { DocumentConversions, ContentRequest } from './content-request.js';
import type { ReadableObject } from './readable-object.js';
import { nameOf } from '../sources/objects/stated-type.js';
import { collectBytes } from './byte-buffer.js';

/** Whether the name of an object suggests that it will be converted. */
export function isLikelyConverted(
  conversions: Pick<DocumentConversions, 'findConverterKey'>,
  rootUri: string,
  { path, mediaType }: Pick<ReadableObject, 'path' | 'mediaType'>,
): boolean {
  return conversions.findConverterKey(mediaType ?? mediaTypeOf(nameOf(rootUri, path))) !== null;
}

type ConversionContext = Pick<
  ContentRequest,
  'connector' | 'object' | 'conversions' | 'purpose' | 'signal'
>;

/** Converts an object if it is a document. Rethrows errors of the converter. */
export async function convertContent(
  { connector, object, conversions, purpose, signal }: ConversionContext,
  content: Content,
): Promise<ContentBytes> {
  const statedType = content.mediaType ?? object.mediaType ?? null;
  const { transferable = false } = content;
  const unconverted = {
    bytes: content.bytes,
    transferable,
    mediaType: statedType,
    conversion: null,
  };
  if (conversions === null || conversions.hasNoConverters) return unconverted;
  const started = statedType === null ? await readStart(content.bytes) : null;
  const name = nameOf(connector.rootUri, object.path);
  const mediaType = conversions.findConverterKey(statedType ?? mediaTypeOf(name, started?.start));
  const bytes = started?.bytes ?? content.bytes;
  if (mediaType === null) return { ...unconverted, bytes };
  const limit = conversions.maxBytes;
  const whole = await collectBytes({ bytes, transferable }, object.size ?? 0, limit);
  if (whole === null) {
    throw new TroveError('document_too_complex', `The document has more than ${limit} bytes`);
  }
  const isAwaited = purpose !== 'ingest';
  const document = { bytes: whole, mediaType };
  const { markdown, title, parts } = await conversions.convert(document, signal, { isAwaited });
  return { bytes: markdown, transferable: false, mediaType, conversion: { title, parts } };
}
