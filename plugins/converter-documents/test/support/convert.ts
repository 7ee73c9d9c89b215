import { TroveError, type Conversion } from '@trove/core';

import { DocumentConverter } from '../../src/document-converter.js';

const { signal } = new AbortController();

export async function convert(mediaType: string, bytes: Uint8Array): Promise<Conversion> {
  return new DocumentConverter(mediaType).convert({ bytes, mediaType, signal });
}

/** Returns the error that rejects a document. */
export async function refusal(conversion: Promise<Conversion>): Promise<TroveError> {
  try {
    const { markdown } = await conversion;
    throw new Error(`it was converted: ${markdown.slice(0, 200)}`);
  } catch (error) {
    if (error instanceof TroveError) return error;
    throw error;
  }
}
