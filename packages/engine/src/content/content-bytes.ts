import type { Content, DocumentPart } from '@trove/core';

/** What is known of a document besides its Markdown. */
export interface ConversionFacts {
  readonly title: string | null;
  readonly parts: readonly DocumentPart[];
}

/** What everybody reads: a document as Markdown in UTF-8, anything else as it is. */
export interface ContentBytes {
  readonly bytes: Content['bytes'];
  /** Whether their memory belongs to whoever reads them. */
  readonly transferable: boolean;
  /** What the source says or, for a document, what it is; null: nobody has said yet. */
  readonly mediaType: string | null;
  /** Null: the bytes are those of the source. */
  readonly conversion: ConversionFacts | null;
}
