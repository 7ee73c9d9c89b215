import { type MarkdownWriter, MAX_COLUMNS } from '@trove/core/markdown';
import { SheetsWriter } from '../markdown/sheets-writer.js';
import { childOf, elementsOf, type XmlElement } from '../xml/element.js';
import { cellText } from './cells.js';
import { annotationText } from './inline.js';
import { repeated } from './styles.js';

/** The same row over and over says nothing new. */
const MAX_REPEATED_ROWS = 1_000;

/** Takes the rows of one sheet after the other, as they are read. */
export class Spreadsheet {
  readonly #sheets: SheetsWriter;
  #comments: string[] = [];
  #isOpen = false;
  #count = 0;

  constructor(writer: MarkdownWriter) {
    this.#sheets = new SheetsWriter(writer);
  }

  /** True when no sheet takes more. */
  get full(): boolean {
    return this.#sheets.full;
  }

  beginSheet(name: string): void {
    this.#count++;
    this.#isOpen = true;
    this.#sheets.begin(this.#count, name);
  }

  /** Ends the sheet that was begun, if any. */
  endSheet(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const comment of this.#comments.splice(0)) this.#sheets.beside(comment);
    this.#sheets.end();
  }

  row(row: XmlElement): void {
    if (this.#sheets.sheetFull) return;
    const cells: string[] = [];
    for (const cell of elementsOf(row)) {
      if (!cell.name.endsWith('table-cell')) continue;
      const text = cell.name === 'table-cell' ? cellText(cell).trim() : '';
      const count = repeated(cell, 'columns', MAX_COLUMNS);
      for (let i = 0; i < count && cells.length < MAX_COLUMNS; i++) cells.push(text);
      const comment = childOf(cell, 'annotation');
      if (comment !== undefined) this.#comments.push(`Comment: ${annotationText(comment)}`);
    }
    while (cells.at(-1) === '') cells.pop();
    const count = cells.length === 0 ? 1 : repeated(row, 'rows', MAX_REPEATED_ROWS);
    for (let i = 0; i < count && !this.#sheets.sheetFull; i++) this.#sheets.row(cells);
  }
}
