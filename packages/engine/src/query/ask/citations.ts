import type { AskResponse, ResultEnvelope } from '../../api/schemas.js';
import { narrowLocator } from './quote-locator.js';
import type { TextSpan } from './quote-matching.js';

export type AskCitation = AskResponse['citations'][number];

/** A text that looks like the number of a citation. */
const bracketedNumbers = /\[(\d[\d,;\s]*)\]/gu;

/** Numbers the citations of an answer. Equal quotes of the same lines share a number. */
export class CitationList {
  readonly #citations: AskCitation[] = [];

  get items(): readonly AskCitation[] {
    return this.#citations;
  }

  /** Cites a part of a passage. Returns the mark for the answer, such as `[1]`. */
  add({ source, locator, content }: ResultEnvelope, span: TextSpan): string {
    const cited = {
      source,
      locator: narrowLocator(locator, content, span),
      quote: content.slice(span.start, span.end),
    };
    const key = JSON.stringify(cited);
    const known = this.#citations.find(
      (each) =>
        JSON.stringify({ source: each.source, locator: each.locator, quote: each.quote }) === key,
    );
    if (known !== undefined) return `[${known.id}]`;
    const id = this.#citations.length + 1;
    this.#citations.push({ id, ...cited, verified: true });
    return `[${id}]`;
  }
}

/** Writes bracketed numbers of a text as `\[3\]`, because `[3]` is a citation. */
export function escapeMarks(text: string): string {
  return text.replaceAll(bracketedNumbers, '\\[$1\\]');
}

/** Joins a text into one line. */
export function toLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
