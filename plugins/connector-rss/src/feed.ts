/** An entry of a feed, in the terms that all formats share. */
export interface FeedEntry {
  /** Identifies the entry in its feed, also after a change of its title. */
  readonly id: string;
  /** Plain text; '' without a title. */
  readonly title: string;
  readonly url: string | null;
  readonly author: string | null;
  /** Milliseconds since 1970. */
  readonly publishedAt: number | null;
  readonly updatedAt: number | null;
  readonly categories: readonly string[];
  /** The content as HTML with absolute links. */
  readonly html: string;
  /** Files that belong to the entry, such as the audio of a podcast. */
  readonly enclosures: readonly string[];
}

/** A parsed document of a feed. */
export interface Feed {
  readonly title: string;
  /** As stated in the document, such as `de`. */
  readonly language: string | null;
  readonly entries: readonly FeedEntry[];
  /** Address of the document with older entries, or null. */
  readonly next: string | null;
}

/** Thrown for a document that is not a feed. */
export class FeedFormatError extends Error {}
