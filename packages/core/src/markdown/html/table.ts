import type { MarkdownWriter } from '../writer.js';

/** A cell with more text than this is laid out in a table, and no datum of one. */
const LONGEST_CELL = 600;
const MOST_COLUMNS = 100;

/** The cells of a table, as they come. */
export class HtmlTable {
  /** Tables within this one; their cells become lines of the cell that they are in. */
  nested = 0;
  /** It holds what no cell of a table of data does. */
  isLayout = false;
  #caption = '';
  readonly #rows: string[][] = [];

  row(): void {
    this.#rows.push([]);
  }

  cell(text: string, span: number): void {
    if (this.#rows.length === 0) this.row();
    const row = this.#rows.at(-1);
    row?.push(text, ...Array.from({ length: Math.min(span, MOST_COLUMNS) - 1 }, () => ''));
    if (text.length > LONGEST_CELL) this.isLayout = true;
  }

  caption(text: string): void {
    this.#caption = text;
  }

  /** A table that only lays out is written as what it lays out. */
  write(writer: MarkdownWriter): void {
    writer.paragraph(this.#caption);
    const isWide = this.#rows.some((row) => row.filter((cell) => cell !== '').length > 1);
    if (isWide && !this.isLayout) writer.table(this.#rows);
    else for (const cell of this.#rows.flat()) writer.paragraph(cell);
  }
}
