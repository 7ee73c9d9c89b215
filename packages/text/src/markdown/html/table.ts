import type { MarkdownWriter } from '../writer.js';

/** A cell with more text means that the table is used for layout. */
const maxCellLength = 600;
const maxColumns = 100;
/** Maximum number of rows that a cell spans. */
const maxSpanRows = 10_000;
/** Maximum number of head rows. Further ones are data. */
const maxHeadRows = 4;

/** The columns and rows that a cell spans, from 1, and whether it is a head cell. */
export interface CellSpan {
  readonly columns: number;
  readonly rows: number;
  readonly isHead: boolean;
}

/** A cell that spans a column of following rows. */
interface SpanningCell {
  readonly text: string;
  rows: number;
}

interface HtmlRow {
  /** By column. Undefined for a missing cell. */
  readonly texts: (string | undefined)[];
  readonly isInHead: boolean;
  /** Whether all of its cells are head cells. */
  isHead: boolean;
}

/** Collects the cells of a table. */
export class HtmlTable {
  /** The number of open nested tables. Their cells become lines of the containing cell. */
  nested = 0;
  /** The table contains elements that tables of data lack. */
  isLayout = false;
  #caption = '';
  #isInHead = false;
  readonly #rows: HtmlRow[] = [];
  /** By column. */
  readonly #covering = new Map<number, SpanningCell>();

  /** Begins a group of rows (`<thead>`, `<tbody>`). No cell spans beyond it. */
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

  /** Adds a cell to each row that it spans and, in the head, to each column. */
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

  /** Writes the table, or only the texts of a table for layout. */
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
    // If all cells are head cells, only the first row is the head.
    const count = rest === -1 ? 1 : Math.min(rest, maxHeadRows);
    return { head: texts.slice(0, count), rest: texts.slice(count) };
  }
}

/** Merges the rows of a head: the distinct texts above each column, from the top. */
function mergeHeadRows(head: readonly (readonly string[])[]): string[] {
  const columns = Math.max(...head.map((texts) => texts.length));
  return Array.from({ length: columns }, (_, column) => {
    const above = head.map((texts) => texts[column] ?? '').filter((text) => text !== '');
    return above.filter((text, at) => text !== above[at - 1]).join(' / ');
  });
}
