import { plainHeading } from '../identity/markdown-title.js';

const maxLineChars = 300;
const heading = /^ {0,3}(#{1,6})[ \t]+(.*\S)/u;
const fence = /^ {0,3}(`{3,}|~{3,})/u;

/** Follows the headings of a Markdown text. Positions must not decrease. */
export class SectionReader {
  readonly #text: string;
  #at = 0;
  #fence: string | null = null;
  #open: { readonly level: number; readonly text: string }[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the headings above a position, outermost first. A heading that begins there is not above it. */
  at(position: number): string[] {
    while (this.#at < position) {
      const newline = this.#text.indexOf('\n', this.#at);
      const next = newline < 0 ? this.#text.length : newline + 1;
      this.#read(this.#text.slice(this.#at, Math.min(next, this.#at + maxLineChars)).trimEnd());
      this.#at = next;
    }
    return this.#open.map(({ text }) => text);
  }

  #read(line: string): void {
    const mark = fence.exec(line)?.[1];
    if (this.#fence !== null) {
      if (mark?.startsWith(this.#fence) === true) this.#fence = null;
    } else if (mark !== undefined) {
      this.#fence = mark;
    } else {
      const [, signs, text = ''] = heading.exec(line) ?? [];
      if (signs === undefined) return;
      this.#open = this.#open.filter(({ level }) => level < signs.length);
      this.#open.push({ level: signs.length, text: plainHeading(text) });
    }
  }
}
