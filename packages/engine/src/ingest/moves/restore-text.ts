import { charsOf, linesOf, type DocumentPart } from '@trove/core';
import type { IndexRow } from '@trove/core/index';

/** The fields in which rows name the part of a document that they belong to. */
export const partKinds = [
  'page',
  'slide',
  'sheet',
] as const satisfies readonly DocumentPart['kind'][];

/**
 * Restores the text of an object from its rows, except for white space between them. Null if their locators do not place
 * them one after the other.
 */
export function restoreText(rows: readonly IndexRow[]): string | null {
  const text = new PlacedText();
  for (const { content, locator } of rows) {
    const lines = locator === null ? null : linesOf(locator);
    if (locator === null || lines === null) return null;
    const column = charsOf(locator)?.start ?? 0;
    if (!text.fillUpTo(lines.start, column)) return null;
    text.add(content);
  }
  return text.toString();
}

/** A text whose next character has a line, from 1, and a column, from 0. */
class PlacedText {
  readonly #pieces: string[] = [];
  #line = 1;
  #column = 0;

  /** Adds line ends and spaces up to a position. Returns false if the text has passed it. */
  fillUpTo(line: number, column: number): boolean {
    if (line < this.#line || (line === this.#line && column < this.#column)) return false;
    this.add('\n'.repeat(line - this.#line));
    this.add(' '.repeat(column - this.#column));
    return true;
  }

  add(piece: string): void {
    this.#pieces.push(piece);
    const end = piece.lastIndexOf('\n');
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.#line++;
    this.#column = end < 0 ? this.#column + piece.length : piece.length - end - 1;
  }

  toString(): string {
    return this.#pieces.join('');
  }
}

/** Restores the parts of a document from the fields of its rows. */
export function restoreParts(rows: readonly IndexRow[]): DocumentPart[] {
  const parts: DocumentPart[] = [];
  let last: unknown;
  for (const { fields, locator } of rows) {
    const line = locator === null ? null : linesOf(locator);
    const kind = partKinds.find((each) => fields[each] !== undefined);
    if (line === null || kind === undefined || fields[kind] === last) continue;
    const value = fields[kind];
    last = value;
    if (typeof value === 'number') parts.push({ line: line.start, kind, number: value });
    else parts.push({ line: line.start, kind, number: parts.length + 1, name: String(value) });
  }
  return parts;
}
