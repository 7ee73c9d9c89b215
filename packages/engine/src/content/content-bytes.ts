import type { Content, DocumentPart } from '@trove/core';

/** What a conversion returns besides Markdown. */
export interface ConversionFacts {
  readonly title: string | null;
  readonly parts: readonly DocumentPart[];
}

/** The bytes of an object as readers see them: documents as Markdown in UTF-8, other objects unchanged. */
export interface ContentBytes {
  readonly bytes: Content['bytes'];
  /** Whether the reader owns the memory of the bytes. */
  readonly transferable: boolean;
  /** The media type that the source states or, for a document, the detected one; null if it is not known yet. */
  readonly mediaType: string | null;
  /** Null if the bytes were not converted. */
  readonly conversion: ConversionFacts | null;
}
