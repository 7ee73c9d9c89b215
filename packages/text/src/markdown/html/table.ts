import type { MarkdownWriter } from '../writer.js';

/** A cell with more text than this is laid out in a table, and no datum of one. */
const maxCellLength = 600;
const maxColumns = 100;
/** Rows that one cell may cover. */
const maxSpanRows = 10_000;
/** Further rows of a head are data. */
const maxHeadRows = 4;

/** What a cell covers, in columns and rows from 1, and whether it is one of the head. */
export interface CellSpan {
  readonly columns: number;
  readonly rows: number;
  readonly isHead: boolean;
}

/** A cell that covers a column of rows to come. */
interface SpanningCell {
  readonly text: string;
  rows: number;
}

interface HtmlRow {
  /** By column; undefined where there is no cell. */
  readonly texts: (string | undefined)[];
  readonly isInHead: boolean;
  /** Whether all of its cells are of the head. */
  isHead: boolean;
}

/** The cells of a table, as they come. */
export class HtmlTable {
  /** Tables within this one; their cells become lines of the cell that they are in. */
  nested = 0;
  /** It holds what no cell of a table of data does. */
  isLayout = false;
  #caption = '';
  #isInHead = false;
  readonly #rows: HtmlRow[] = [];
  /** By column. */
  readonly #covering = new Map<number, SpanningCell>();

  /** Begins a group of rows (`<thead>`, `<tbody>`), at whose end all cells end. */
  group(isHead: boolean): void {
    this.#isInHead = isHead;
    this.#covering.clear();
  }

  row(): void {
    const texts: (string | undefined)[] = [];
    for (const [column, covering] of this.#covering) {
      texts[column] = covering.text;
      if (--covering.rows === 0) this.#covering.delete(column);
    }
    this.#rows.push({ texts, isInHead: this.#isInHead, isHead: true });
  }

  /** A cell stands in each row that it covers; in the head, also in each column. */
  cell(text: string, { columns, rows, isHead }: CellSpan): void {
    if (this.#rows.length === 0) this.row();
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    row.isHead &&= isHead;
    let column = 0;
    while (row.texts[column] !== undefined) column++;
    const end = Math.min(column + columns, Math.max(column + 1, maxColumns));
    const isRepeated = row.isInHead || isHead;
    for (let at = column; at < end; at++) {
      const shown = at === column || isRepeated ? text : '';
      row.texts[at] = shown;
      if (rows > 1) this.#covering.set(at, { text: shown, rows: Math.min(rows, maxSpanRows) - 1 });
    }
    if (text.length > maxCellLength) this.isLayout = true;
  }

  caption(text: string): void {
    this.#caption = text;
  }

  /** A table that only lays out is written as what it lays out. */
  write(writer: MarkdownWriter): void {
    const { head, rest } = this.#parts();
    const titles = head.filter((texts) => new Set(texts).size === 1 && head.length > 1);
    const heads = head.filter((texts) => !titles.includes(texts));
    const rows = [...(heads.length === 0 ? [] : [mergeHeadRows(heads)]), ...rest];
    writer.paragraph([this.#caption, ...titles.map(([title = '']) => title)].join('\n'));
    const isWide = rows.some((row) => row.filter((cell) => cell !== '').length > 1);
    if (isWide && !this.isLayout) writer.table(rows);
    else for (const cell of rows.flat()) writer.paragraph(cell);
  }

  #parts(): { readonly head: string[][]; readonly rest: string[][] } {
    const isMarked = this.#rows.some(({ isInHead }) => isInHead);
    const rest = this.#rows.findIndex((row) => !(isMarked ? row.isInHead : row.isHead));
    const texts = this.#rows.map((row) => Array.from(row.texts, (text) => text ?? ''));
    // Where all cells are titles, the first row stands above the others.
    const count = rest === -1 ? 1 : Math.min(rest, maxHeadRows);
    return { head: texts.slice(0, count), rest: texts.slice(count) };
  }
}

/** Rows of a head as one: what stands above a column, from the top, each text once. */
function mergeHeadRows(head: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...head.map((texts) => texts.length));
  return Array.from({ length: columns }, (_, column) => {
    const above = head.map((texts) => texts[column] ?? '').filter((text) => text !== '');
    return above.filter((text, at) => text !== above[at - 1]).join(' / ');
  });
}
