import type { Locator } from '@trove/core';

export interface Chunk {
  /** A piece of the text verbatim, including line endings. */
  readonly content: string;
  /** `{"lines":[a,b]}`, 1-based and inclusive; for a part of one long line also `{"chars":[from,to]}` within it. */
  readonly locator: Locator;
  /** Headings below the title (`A > B`), enclosing definitions or keys, a table's header; '' for none. Not in `content`. */
  readonly context: string;
  /** Of what is defined in it, separated by spaces; '' for none. */
  readonly names: string;
  /** The same of smaller things, such as constants and fields. */
  readonly members: string;
}
