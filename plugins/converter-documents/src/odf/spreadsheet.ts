import { SheetWriter } from '../markdown/sheet-writer.js';
import type { MarkdownWriter } from '../markdown/writer.js';
import { childOf, elementsOf, type XmlElement } from '../xml/element.js';
import { cellText } from './cells.js';
import { annotationText } from './inline.js';
import { repeated } from './styles.js';

const MAX_COLUMNS = 1_000;
/** The same row over and over says nothing new. */
const MAX_REPEATED_ROWS = 1_000;

/** Takes the rows of one sheet after the other, as they are read. */
export class Spreadsheet {
  readonly #writer: MarkdownWriter;
  #sheet: SheetWriter | undefined;
  #comments: string[] = [];
  #count = 0;

  constructor(writer: MarkdownWriter) {
    this.#writer = writer;
  }

  beginSheet(name: string): void {
    this.#count++;
    this.#sheet = new SheetWriter(this.#writer, this.#count, name);
  }

  endSheet(): void {
    for (const comment of this.#comments.splice(0)) this.#sheet?.beside(comment);
    this.#sheet?.end();
    this.#sheet = undefined;
  }

  row(row: XmlElement): void {
    const sheet = this.#sheet;
    if (sheet === undefined || sheet.full) return;
    const cells: string[] = [];
    for (const cell of elementsOf(row)) {
      if (!cell.name.endsWith('table-cell')) continue;
      const text = cell.name === 'table-cell' ? cellText(cell) : '';
      const count = repeated(cell, 'columns', MAX_COLUMNS);
      for (let i = 0; i < count && cells.length < MAX_COLUMNS; i++) cells.push(text);
      const comment = childOf(cell, 'annotation');
      if (comment !== undefined) this.#comments.push(`Comment: ${annotationText(comment)}`);
    }
    while (cells.at(-1) === '') cells.pop();
    const count = cells.length === 0 ? 1 : repeated(row, 'rows', MAX_REPEATED_ROWS);
    for (let i = 0; i < count && !sheet.full; i++) sheet.row(cells);
  }
}
