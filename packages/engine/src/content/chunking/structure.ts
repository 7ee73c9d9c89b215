import type { Lines } from './lines.js';

/** How well a line starts a chunk, best first. 1 to `deepest` are headings, definitions and records. */
export const rank = {
  top: 1,
  deepest: 6,
  paragraph: 7,
  item: 8,
  sentence: 9,
  line: 10,
  /** Inside a unit; a last resort. */
  inside: 11,
} as const;

/** The start of a section (a heading or definition), or the end of open sections (`label` null). */
export interface SectionMark {
  /** First line of the section, including its leading comments; 0-based. */
  readonly line: number;
  /** The line of the heading or signature itself. */
  readonly headingLine: number;
  /** A mark ends all open sections of this level and deeper. */
  readonly level: number;
  readonly label: string | null;
}

/** The structure of a text, which determines how it is split. */
export interface TextStructure {
  readonly lines: Lines;
  /** One rank per line. */
  readonly ranks: Uint8Array;
  /** In line order. */
  readonly marks: readonly SectionMark[];
  /** Context of every chunk, such as the header of a CSV file; '' for none. */
  readonly commonContext: string;
  /** The title that the text states, or null. */
  readonly title: string | null;
}

/** Collects the marks of sections that are recognised by indentation. */
export class IndentedMarks {
  readonly marks: SectionMark[] = [];
  readonly #open: number[] = [];

  open(line: number, headingLine: number, level: number, text: string): void {
    this.#closeFrom(level);
    this.#open.push(level);
    this.marks.push({ line, headingLine, level, label: text });
  }

  /** Ends the sections that do not contain a line with this indentation. */
  closeAt(line: number, level: number): void {
    if (this.#closeFrom(level)) this.marks.push({ line, headingLine: line, level, label: null });
  }

  #closeFrom(level: number): boolean {
    const openBefore = this.#open.length;
    while ((this.#open.at(-1) ?? -1) >= level) this.#open.pop();
    return this.#open.length < openBefore;
  }
}

const maxLabelChars = 160;

/** Formats a heading or signature for a section path: one line of limited length. */
export function toLabel(text: string): string {
  const line = text.trim().slice(0, maxLabelChars).replace(/\s+/g, ' ');
  return line.replace(/[\uD800-\uDBFF]$/, '');
}

export function firstLabel(marks: readonly SectionMark[]): string | null {
  return marks.find((mark) => mark.label !== null && mark.label !== '')?.label ?? null;
}
