import type { Lines } from './lines.js';

/** How well a chunk may begin at a line, best first; 1 to `deepest` are headings, definitions and records. */
export const rank = {
  top: 1,
  deepest: 6,
  paragraph: 7,
  item: 8,
  sentence: 9,
  line: 10,
  /** In the middle of something: only when there is nothing better. */
  inside: 11,
} as const;

/** Where a section (a heading's, a definition's) begins, or where those of a level end (`label` null). */
export interface Mark {
  /** The line that the section begins at, comments that belong to it included; 0-based. */
  readonly line: number;
  /** The line of the heading or signature itself. */
  readonly at: number;
  /** A mark ends all open sections of its level and deeper ones. */
  readonly level: number;
  readonly label: string | null;
}

/** What is known of a text before it is cut. */
export interface Structure {
  readonly lines: Lines;
  /** One rank per line. */
  readonly ranks: Uint8Array;
  /** In the order of their lines. */
  readonly marks: readonly Mark[];
  /** What surrounds every chunk (the header of a CSV file), '' for nothing. */
  readonly frame: string;
  /** The title that the text itself states, or null. */
  readonly title: string | null;
}

/** Collects marks of sections that are known by their indentation. */
export class IndentedMarks {
  readonly marks: Mark[] = [];
  readonly #open: number[] = [];

  open(line: number, at: number, level: number, text: string): void {
    this.#leave(level);
    this.#open.push(level);
    this.marks.push({ line, at, level, label: text });
  }

  /** Ends the sections that a line of this indentation is no longer in. */
  closeAt(line: number, level: number): void {
    if (this.#leave(level)) this.marks.push({ line, at: line, level, label: null });
  }

  #leave(level: number): boolean {
    const before = this.#open.length;
    while ((this.#open.at(-1) ?? -1) >= level) this.#open.pop();
    return this.#open.length < before;
  }
}

const LABEL_LENGTH = 160;

/** A heading or signature as it is shown in a path: one line, bounded. */
export function label(text: string): string {
  const line = text.trim().slice(0, LABEL_LENGTH).replace(/\s+/g, ' ');
  return line.replace(/[\uD800-\uDBFF]$/, '');
}

export function firstLabel(marks: readonly Mark[]): string | null {
  return marks.find((mark) => mark.label !== null && mark.label !== '')?.label ?? null;
}
