import { type MarkdownWriter, maxTableColumns } from '@trove/text/markdown';
import type { Chart } from '../markdown/chart.js';
import { SheetsWriter } from '../markdown/sheets-writer.js';
import { childOf, descendantsOf, elementsOf, type XmlElement } from '../xml/element.js';
import { cellText } from './cells.js';
import { annotationText, plainText } from './inline.js';
import { repeated } from './styles.js';

/** Further repetitions of a row add no information. */
const maxRepeatedRows = 1_000;
/** The limits of columns and rows of a sheet. */
const maxColumns = 16_384;
const maxRows = 1_048_576;
/** The limit of characters of a row beyond the columns of a table. */
const maxRowChars = 1_000_000;

/** Receives the rows of the sheets in reading order. */
export class Spreadsheet {
  readonly #sheets: SheetsWriter;
  readonly #object: (object: XmlElement) => Chart | string;
  /** Content of the sheet outside its cells. */
  #otherContent: (Chart | string)[] = [];
  #isOpen = false;
  #count = 0;
  /** The number of the sheet's rows so far, including repetitions. */
  #rows = 0;

  /** `object` reads an embedded document. */
  constructor(writer: MarkdownWriter, object: (object: XmlElement) => Chart | string) {
    this.#object = object;
    this.#sheets = new SheetsWriter(writer);
  }

  /** Whether no sheet accepts more rows. */
  get full(): boolean {
    return this.#sheets.full;
  }

  beginSheet(name: string): void {
    this.#count++;
    this.#isOpen = true;
    this.#rows = 0;
    this.#sheets.begin(this.#count, name);
  }

  /** Ends the current sheet, if any. */
  endSheet(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const each of this.#otherContent.splice(0)) {
      if (typeof each !== 'string') this.#sheets.chart(each);
      else if (each !== '') this.#sheets.beside(each);
    }
    this.#sheets.end();
  }

  /** Adds shapes drawn on the sheet. */
  shapes(shapes: XmlElement): void {
    for (const shape of elementsOf(shapes)) this.#otherContent.push(plainText(shape));
    this.#objects(shapes);
  }

  #objects(parent: XmlElement): void {
    for (const object of descendantsOf(parent, 'object')) {
      if (!this.full) this.#otherContent.push(this.#object(object));
    }
  }

  row(row: XmlElement): void {
    const first = this.#rows + 1;
    const repeats = repeated(row, 'rows', maxRows);
    this.#rows += repeats;
    if (this.#sheets.sheetFull) return;
    const { cells, beyond } = this.#cells(row);
    while (cells.at(-1) === '') cells.pop();
    const isEmpty = cells.length === 0 && beyond.column === undefined;
    const count = isEmpty ? 1 : Math.min(repeats, maxRepeatedRows);
    for (let i = 0; i < count && !this.#sheets.sheetFull; i++) {
      this.#sheets.row(cells);
      if (beyond.column === undefined) continue;
      const where = `Row ${first + i} from column ${columnName(beyond.column)}`;
      this.#sheets.beyond(where, beyond.texts);
    }
  }

  #cells(row: XmlElement): { cells: string[]; beyond: OverflowTexts } {
    const cells: string[] = [];
    const beyond: OverflowTexts = { column: undefined, texts: [], length: 0 };
    let column = 0;
    for (const cell of elementsOf(row)) {
      if (!cell.name.endsWith('table-cell')) continue;
      const text = cell.name === 'table-cell' ? cellText(cell).trim() : '';
      const end = column + repeated(cell, 'columns', maxColumns);
      for (; column < end && column < maxTableColumns; column++) cells.push(text);
      if (column < end && text !== '') add(beyond, text, column, end);
      column = end;
      const comment = childOf(cell, 'annotation');
      if (comment !== undefined) this.#otherContent.push(`Comment: ${annotationText(comment)}`);
      this.#objects(cell);
    }
    return { cells, beyond };
  }
}

/** The texts of a row beyond the last column of a table. */
interface OverflowTexts {
  /** The column of the first text, from 0. */
  column: number | undefined;
  readonly texts: string[];
  /** Characters of all texts. */
  length: number;
}

/** Adds a text once for each column up to `end`, within the limit of the row's characters. */
function add(beyond: OverflowTexts, text: string, first: number, end: number): void {
  beyond.column ??= first;
  for (let column = first; column < end && beyond.length < maxRowChars; column++) {
    beyond.texts.push(text);
    beyond.length += text.length;
  }
}

/** Returns the name of a column: `A` for 0, `AA` for 26. */
function columnName(column: number): string {
  const letter = String.fromCodePoint(65 + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
