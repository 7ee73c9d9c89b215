import { type MarkdownWriter, MAX_COLUMNS } from '@trove/core/markdown';
import type { Chart } from '../markdown/chart.js';
import { SheetsWriter } from '../markdown/sheets-writer.js';
import { childOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { cellText } from './cells.js';
import { annotationText, plainText } from './inline.js';
import { repeated } from './styles.js';

/** The same row over and over says nothing new. */
const MAX_REPEATED_ROWS = 1_000;
/** The columns and rows that a sheet can have. */
const mostColumns = 16_384;
const mostRows = 1_048_576;
/** Characters of one row beyond the columns of a table. */
const longestRow = 1_000_000;

/** Takes the rows of one sheet after the other, as they are read. */
export class Spreadsheet {
  readonly #sheets: SheetsWriter;
  readonly #object: (object: XmlElement) => Chart | string;
  /** What the sheet has beside its cells. */
  #beside: (Chart | string)[] = [];
  #isOpen = false;
  #count = 0;
  /** Rows of the sheet so far, with those that are repeated. */
  #rows = 0;

  /** `object` reads a document within this one. */
  constructor(writer: MarkdownWriter, object: (object: XmlElement) => Chart | string) {
    this.#object = object;
    this.#sheets = new SheetsWriter(writer);
  }

  /** True when no sheet takes more. */
  get full(): boolean {
    return this.#sheets.full;
  }

  beginSheet(name: string): void {
    this.#count++;
    this.#isOpen = true;
    this.#rows = 0;
    this.#sheets.begin(this.#count, name);
  }

  /** Ends the sheet that was begun, if any. */
  endSheet(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const each of this.#beside.splice(0)) {
      if (typeof each !== 'string') this.#sheets.chart(each);
      else if (each !== '') this.#sheets.beside(each);
    }
    this.#sheets.end();
  }

  /** What is drawn on the sheet, apart from its cells. */
  shapes(shapes: XmlElement): void {
    for (const shape of elementsOf(shapes)) this.#beside.push(plainText(shape));
    this.#objects(shapes);
  }

  #objects(parent: XmlElement): void {
    for (const object of descendantsOf(parent, 'object')) {
      if (!this.full) this.#beside.push(this.#object(object));
    }
  }

  row(row: XmlElement): void {
    const first = this.#rows + 1;
    const repeats = repeated(row, 'rows', mostRows);
    this.#rows += repeats;
    if (this.#sheets.sheetFull) return;
    const { cells, beyond } = this.#cells(row);
    while (cells.at(-1) === '') cells.pop();
    const isEmpty = cells.length === 0 && beyond.column === undefined;
    const count = isEmpty ? 1 : Math.min(repeats, MAX_REPEATED_ROWS);
    for (let i = 0; i < count && !this.#sheets.sheetFull; i++) {
      this.#sheets.row(cells);
      if (beyond.column === undefined) continue;
      const where = `Row ${first + i} from column ${columnName(beyond.column)}`;
      this.#sheets.beyond(where, beyond.texts);
    }
  }

  #cells(row: XmlElement): { cells: string[]; beyond: Beyond } {
    const cells: string[] = [];
    const beyond: Beyond = { column: undefined, texts: [], length: 0 };
    let column = 0;
    for (const cell of elementsOf(row)) {
      if (!cell.name.endsWith('table-cell')) continue;
      const text = cell.name === 'table-cell' ? cellText(cell).trim() : '';
      const end = column + repeated(cell, 'columns', mostColumns);
      for (; column < end && column < MAX_COLUMNS; column++) cells.push(text);
      if (column < end && text !== '') add(beyond, text, column, end);
      column = end;
      const comment = childOf(cell, 'annotation');
      if (comment !== undefined) this.#beside.push(`Comment: ${annotationText(comment)}`);
      this.#objects(cell);
    }
    return { cells, beyond };
  }
}

/** The texts of a row in columns that no table has. */
interface Beyond {
  /** Of the first text, from 0. */
  column: number | undefined;
  readonly texts: string[];
  /** Characters of all texts. */
  length: number;
}

/** Adds a text that a row repeats in some columns, as often as the row may have characters. */
function add(beyond: Beyond, text: string, first: number, end: number): void {
  beyond.column ??= first;
  for (let column = first; column < end && beyond.length < longestRow; column++) {
    beyond.texts.push(text);
    beyond.length += text.length;
  }
}

/** `A` for 0, `AA` for 26. */
function columnName(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
