import type { MarkdownWriter } from '@trove/text/markdown';
import { writeChart, type Chart } from './chart.js';

/** The limit of rows per sheet. Programs store formats for empty rows up to the last possible row. */
const maxRows = 200_000;
/** The limit of cells of all sheets, including empty ones among others. */
const maxCells = 2_000_000;

/**
 * Writes sheets: a heading for each, and a table for each region between empty rows. Leaves out columns that are empty
 * in a whole region. Rows with a single cell become lines of text, unless wider rows precede them.
 */
export class SheetsWriter {
  readonly #writer: MarkdownWriter;
  #name = '';
  #hasHeading = false;
  #region: (readonly string[])[] = [];
  /** Lines for texts in columns beyond the table. */
  #overflow: string[] = [];
  /** The number of characters of the region. */
  #length = 0;
  #rows = 0;
  #cells = 0;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  /** Whether the limits are reached, so the caller should stop. */
  get full(): boolean {
    return this.#cells >= maxCells || this.#writer.isFullAfter(this.#length);
  }

  /** Whether this sheet accepts no more rows. */
  get sheetFull(): boolean {
    return this.#rows >= maxRows || this.full;
  }

  begin(number: number, name: string): void {
    this.#writer.part('sheet', number, name);
    this.#name = name;
    this.#hasHeading = false;
    this.#rows = 0;
  }

  /** Adds a row. An empty row ends a region. */
  row(cells: readonly string[]): void {
    this.#rows++;
    this.#cells += cells.length + 1;
    if (cells.every((cell) => cell.trim() === '')) {
      this.#endRegion();
      return;
    }
    this.#region.push(cells);
    for (const cell of cells) this.#length += cell.length + 3;
  }

  /** Adds cells of the last row beyond the columns of a table. `where`: the row and the first column. */
  beyond(where: string, cells: readonly string[]): void {
    const line = `${where}: ${cells.join(' | ')}`;
    this.#cells += cells.length;
    this.#length += line.length;
    this.#overflow.push(line);
  }

  /** Writes text outside the cells, such as a comment or a text box. */
  beside(text: string): void {
    this.#endRegion();
    this.#heading();
    this.#writer.quote(text);
  }

  chart(chart: Chart): void {
    this.#endRegion();
    this.#heading();
    writeChart(this.#writer, chart);
  }

  end(): void {
    this.#endRegion();
    if (this.#rows >= maxRows) {
      this.#writer.notice(`The sheet has more rows; the first ${maxRows} are converted.`);
    }
    if (this.#cells >= maxCells) {
      this.#writer.markTruncated(`There are more than ${maxCells} cells; the rest is left out.`);
    }
  }

  #endRegion(): void {
    if (this.#region.length > 0) this.#writeRegion();
    this.#length = 0;
    if (this.#overflow.length === 0) return;
    this.#heading();
    this.#writer.paragraph(this.#overflow.join('\n'));
    this.#overflow = [];
  }

  #writeRegion(): void {
    const rows = withoutEmptyColumns(this.#region);
    this.#region = [];
    this.#heading();
    const wide = rows.findIndex((row) => filled(row) > 1);
    const lines = wide === -1 ? rows : rows.slice(0, wide);
    this.#writer.paragraph(lines.map((row) => row.join('').trim()).join('\n'));
    if (wide !== -1) this.#writer.table(rows.slice(wide));
  }

  #heading(): void {
    if (!this.#hasHeading) this.#writer.heading(2, this.#name);
    this.#hasHeading = true;
  }
}

function withoutEmptyColumns(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const used = new Set<number>();
  let width = 0;
  for (const row of rows) {
    width = Math.max(width, row.length);
    for (const [column, cell] of row.entries()) if (cell.trim() !== '') used.add(column);
  }
  if (used.size === width) return [...rows];
  const columns = [...used].sort((a, b) => a - b);
  return rows.map((row) => columns.map((column) => row[column] ?? ''));
}

function filled(row: readonly string[]): number {
  return row.filter((cell) => cell.trim() !== '').length;
}
