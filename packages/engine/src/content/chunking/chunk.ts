import type { Locator } from '@trove/core';

export interface Chunk {
  /** A piece of the text, unchanged, including line endings. */
  readonly content: string;
  /** `{"lines":[a,b]}`, 1-based and inclusive. A part of a long line also has `{"chars":[from,to]}` within that line. */
  readonly locator: Locator;
  /**
   * Headings below the title (`A > B`), enclosing definitions or keys, or the header of a table; '' for none. Not
   * part of `content`.
   */
  readonly context: string;
  /** Names of the definitions in the chunk, separated by spaces; '' for none. */
  readonly names: string;
  /** Names of minor definitions such as constants and fields. */
  readonly members: string;
}
