import type { SectionMark, TextStructure } from './structure.js';

const maxEntries = 8;
const maxChars = 400;

/** Tracks the sections of a text chunk by chunk. Chunks must come in text order. */
export class SectionPath {
  readonly #marks: readonly SectionMark[];
  readonly #frame: string;
  /** Omitted at the start of the path, because the title is shown separately. */
  readonly #title: string | null;
  readonly #open: SectionMark[] = [];
  #next = 0;

  constructor(structure: TextStructure, title: string | null) {
    this.#marks = structure.marks;
    this.#frame = structure.commonContext;
    this.#title = title;
  }

  /**
   * Returns the sections that contain the line `first`, outermost first, joined by ` > `. A section that starts at
   * `first` counts if it contains the whole chunk up to `last`. Its heading then describes the chunk.
   */
  around(first: number, last: number): string {
    this.#advance(first);
    const ended = this.#outermostEnded(last);
    return this.#text(this.#open.filter((mark) => mark.line < first || mark.level < ended));
  }

  /** Returns the smallest level that a mark up to `last` ends. */
  #outermostEnded(last: number): number {
    let level = Infinity;
    let mark = this.#marks[this.#next];
    for (let at = this.#next; mark !== undefined && mark.line <= last; mark = this.#marks[++at]) {
      level = Math.min(level, mark.level);
    }
    return level;
  }

  #advance(line: number): void {
    let mark = this.#marks[this.#next];
    while (mark !== undefined && mark.line <= line) {
      while ((this.#open.at(-1)?.level ?? -1) >= mark.level) this.#open.pop();
      if (mark.label !== null) this.#open.push(mark);
      mark = this.#marks[++this.#next];
    }
  }

  #text(sections: readonly SectionMark[]): string {
    const labels = sections.map((section) => section.label ?? '').filter((label) => label !== '');
    if (labels[0] === this.#title) labels.shift();
    const innermost = labels.slice(-maxEntries);
    while (innermost.length > 1 && innermost.join(' > ').length > maxChars) innermost.shift();
    return innermost.length === 0 ? this.#frame : innermost.join(' > ');
  }
}
